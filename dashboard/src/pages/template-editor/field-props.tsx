import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { characters } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

/** The id of the element that gets the focus when a field has a fault. */
export const fieldId = (field: string): string => `draft-${field}`;

/** Brings a field into sight and puts the caret there. */
export function focusField(field: string): void {
  const element = document.getElementById(fieldId(field)) ?? document.getElementById('draft-refusal');
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}

/**
 * Milliseconds before the fault of a left field is shown: the target of the click that left it must not move meanwhile,
 * or the click would be lost.
 */
const CLICK_TIME = 250;

interface Extra {
  /** Counts these characters against the provider's limit. */
  count?: { text: string; max: number };
  /** Shown between label and input. */
  above?: ReactNode;
}

/** The properties of an input for a field of the draft: its id, its faults after it was left, its counter. */
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
