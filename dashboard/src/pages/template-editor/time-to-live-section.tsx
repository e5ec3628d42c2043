import { Group, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import {
  durationText,
  lifeOf,
  TIME_TO_LIVE,
  toTimeToLive,
} from '../../../../src/templates/domain/time-to-live';
import { Section } from '../../components/section';
import { strings } from '../../strings';
import { fieldProps } from './field-props';
import type { TemplateDraft } from './types';
import type { Editor } from './use-editor';

const { timeToLive: texts } = strings.templateEditor;
/** The units in seconds, the largest first. */
const UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
type Unit = keyof typeof UNITS;
const USUAL = { AUTHENTICATION: 'minutes', UTILITY: 'hours', MARKETING: 'days' } as const;

/** The field for the time to live, in which the provider tries to deliver; empty for its default. */
export function TimeToLiveSection({ editor }: { editor: Editor }) {
  return (
    <Section title={texts.title} isOptional>
      <Fields key={editor.draft.category} editor={editor} />
    </Section>
  );
}

function Fields({ editor }: { editor: Editor }) {
  const { category } = editor.draft;
  const seconds = secondsOf(editor.draft);
  const [chosen, setChosen] = useState<Unit>(seconds === null ? USUAL[category] : largestUnit(seconds));
  // After undo, the draft may have a time that is no whole number of the unit.
  const unit = seconds !== null && seconds % UNITS[chosen] !== 0 ? largestUnit(seconds) : chosen;
  const amount = seconds === null ? null : seconds / UNITS[unit];
  const change = (to: number | null, of: Unit) => {
    setChosen(of);
    const value = to === null ? null : toTimeToLive(category, to * UNITS[of]);
    editor.update((draft) => ({ ...draft, message_send_ttl_seconds: value }));
  };
  const { min, max, byDefault } = TIME_TO_LIVE[category];
  const range = { min: durationText(min), max: durationText(max) };
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.hints[category](range, durationText(byDefault))}
      </Text>
      <Group align="flex-start" gap="sm">
        <NumberInput
          label={texts.label}
          placeholder={texts.byDefault}
          min={1}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          w={180}
          value={amount ?? ''}
          onChange={(value) => change(typeof value === 'number' ? value : null, unit)}
          {...fieldProps(editor, 'message_send_ttl_seconds')}
        />
        <Select
          label={texts.unit}
          allowDeselect={false}
          w={130}
          data={(Object.keys(UNITS) as Unit[]).map((value) => ({ value, label: texts.units[value] }))}
          value={unit}
          onChange={(value) => change(amount, value as Unit)}
        />
      </Group>
    </>
  );
}

function secondsOf(draft: TemplateDraft): number | null {
  return (draft.message_send_ttl_seconds ?? null) === null ? null : lifeOf(draft);
}

function largestUnit(seconds: number): Unit {
  return (Object.keys(UNITS) as Unit[]).find((unit) => seconds % UNITS[unit] === 0) ?? 'seconds';
}
