import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { characters } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

/** The element that gets the focus when something is wrong with a field. */
export const fieldId = (field: string): string => `draft-${field}`;

/** Brings a field into sight and puts the caret there. */
export function focusField(field: string): void {
  const element = document.getElementById(fieldId(field)) ?? document.getElementById('draft-refusal');
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}

/**
 * Milliseconds for the click that left a field: what it goes to must not move under it as the fault appears, or it would
 * be lost.
 */
const CLICK_TIME = 250;

interface Extra {
  /** Counts these characters against the provider's limit. */
  count?: { text: string; max: number };
  /** Between label and input. */
  above?: ReactNode;
}

/** What makes an input one of the draft's: its id, its faults once it was left, its counter. */
export function fieldProps(editor: Editor, field: string, { count, above }: Extra = {}) {
  const warning = editor.warningAt(field);
  return {
    id: fieldId(field),
    error: editor.errorAt(field),
    onBlur: () => setTimeout(() => editor.touch(field), CLICK_TIME),
    inputContainer: (input: ReactNode) => (
      <>
        {above}
        {input}
        {(warning ?? count) && (
          <Group justify="space-between" wrap="nowrap" gap="xs" mt={4} align="flex-start">
            <Text size="xs" className={classes.warning} role="status">
              {warning}
            </Text>
            {count && <Counter {...count} />}
          </Group>
        )}
      </>
    ),
  };
}

function Counter({ text, max }: { text: string; max: number }) {
  const used = characters(text);
  const { counter, counterOver } = strings.templateEditor;
  return (
    <Text size="xs" c={used > max ? 'var(--mantine-color-error)' : 'dimmed'} className={classes.counter}>
      {used > max ? `${counter(used, max)} · ${counterOver(used - max)}` : counter(used, max)}
    </Text>
  );
}
