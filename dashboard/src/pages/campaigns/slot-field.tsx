import { Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Slot, SlotSource } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';
import { strings } from '../../strings';
import { slotLabel } from './slot-label';

const texts = strings.campaigns.mapping;

interface SlotFieldProps {
  slot: Slot;
  content: TemplateContent;
  columns: string[];
  /** The first row's cells. */
  example: string[];
  source: SlotSource | undefined;
  error: string | undefined;
  onChange: (source: SlotSource | undefined) => void;
}

/** One part of the message: a column, or a text that is the same for everyone. */
export function SlotField({ slot, content, columns, example, source, error, onChange }: SlotFieldProps) {
  const id = useId();
  const [isFixed, setFixed] = useState(source !== undefined && 'text' in source);
  const label = slotLabel(slot, content);
  const column = source && 'column' in source && source.column < columns.length ? source.column : null;
  const choose = (mode: string) => {
    setFixed(mode === 'fixed');
    onChange(mode === 'fixed' ? { text: '' } : undefined);
  };
  return (
    <div>
      <Group justify="space-between" mb={4} gap="xs">
        <Text component="label" htmlFor={id} fw={500} size="sm" dir="auto">
          {label}
          {slot.optional && (
            <Text span c="dimmed" size="sm">
              {` (${texts.optional})`}
            </Text>
          )}
        </Text>
        {slot.kind !== 'phone' && (
          <SegmentedControl
            size="xs"
            aria-label={label}
            value={isFixed ? 'fixed' : 'column'}
            onChange={choose}
            data={[
              { value: 'column', label: texts.from },
              { value: 'fixed', label: texts.fixed },
            ]}
          />
        )}
      </Group>
      {isFixed ? (
        <TextInput
          id={id}
          placeholder={texts.text}
          maxLength={1_024}
          value={source && 'text' in source ? source.text : ''}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
          error={error}
        />
      ) : (
        <Select
          id={id}
          placeholder={texts.choose}
          searchable={columns.length > 8}
          clearable={slot.optional}
          allowDeselect={slot.optional}
          data={columns.map((name, i) => ({ value: String(i), label: name }))}
          value={column === null ? null : String(column)}
          onChange={(value) => onChange(value === null ? undefined : { column: Number(value) })}
          description={column === null ? undefined : texts.example(example[column] ?? '')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={error}
        />
      )}
    </div>
  );
}
