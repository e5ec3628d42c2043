import { Button, Collapse, Group, MultiSelect, Select, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustments, IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { strings } from '../../strings';
import type { MessageChoices } from './types';
import type { MessageFilters, SingleFilter } from './use-message-filters';

const texts = strings.messages;

/** Milliseconds after the last key before a search begins. */
const SEARCH_DELAY = 500;

/** By the filter that they are about; null where there is none. */
export interface SearchFaults {
  phone: string | null;
  reference: string | null;
}

interface FilterBarProps {
  filters: MessageFilters;
  choices: MessageChoices | undefined;
  isWide: boolean;
  /** The service's faults about what was typed. */
  faults: SearchFaults;
}

/** All filters in a row; on a phone, all except the recipient are folded away. */
export function FilterBar({ filters, choices, isWide, faults }: FilterBarProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const all = <Filters filters={filters} choices={choices} faults={faults} />;
  return (
    <div role="search" aria-label={texts.filters}>
      <Group gap="sm" mb="md" align="flex-end">
        <SearchInput
          type="tel"
          label={texts.phone}
          placeholder={texts.phoneHint}
          maxLength={64}
          w={{ base: '100%', xs: 200 }}
          value={filters.values.phone ?? ''}
          error={faults.phone}
          onSearch={(phone) => filters.set({ phone })}
        />
        {isWide ? (
          all
        ) : (
          <Button
            variant="default"
            leftSection={<IconAdjustments size={16} aria-hidden />}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {filters.count > 0 ? texts.moreFiltersActive(filters.count) : texts.moreFilters}
          </Button>
        )}
        {filters.count > 0 && (
          <Button variant="subtle" leftSection={<IconX size={16} aria-hidden />} onClick={filters.clear}>
            {texts.clear}
          </Button>
        )}
      </Group>
      {!isWide && (
        <Collapse expanded={isOpen}>
          <Group gap="sm" mb="md" align="flex-end">
            {all}
          </Group>
        </Collapse>
      )}
    </div>
  );
}

function Filters({ filters, choices, faults }: Omit<FilterBarProps, 'isWide'>) {
  const { values, set } = filters;
  const numbers = choices?.numbers ?? [];
  const choice = (name: SingleFilter, label: string, options: [string, string][]) => (
    <Select
      label={label}
      placeholder={texts.any}
      value={values[name]}
      data={options.map(([value, text]) => ({ value, label: text }))}
      onChange={(value) => set({ [name]: value })}
      searchable={options.length > 10}
      clearable
      w={{ base: 'calc(50% - 6px)', xs: 170 }}
    />
  );
  return (
    <>
      {choice('period', texts.period, Object.entries(texts.periods))}
      {values.period === 'custom' &&
        (['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={texts[name]}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
            w={{ base: 'calc(50% - 6px)', xs: 150 }}
          />
        ))}
      <MultiSelect
        label={texts.status}
        placeholder={filters.status.length === 0 ? texts.any : ''}
        value={filters.status}
        data={Object.entries(strings.components.messageStatus).map(([value, label]) => ({ value, label }))}
        onChange={filters.setStatus}
        clearable
        w={{ base: 'calc(50% - 6px)', xs: filters.status.length > 1 ? 320 : 170 }}
      />
      {choice(
        'template',
        texts.template,
        (choices?.templates ?? []).map((name) => [name, name]),
      )}
      {numbers.length > 1 &&
        choice(
          'number',
          texts.number,
          numbers.map(({ messaging_account_id, name }) => [messaging_account_id, name]),
        )}
      {choice('retry', texts.retry, Object.entries(texts.retries))}
      <SearchInput
        label={texts.reference}
        placeholder={texts.any}
        maxLength={128}
        w={{ base: 'calc(50% - 6px)', xs: 170 }}
        value={values.reference ?? ''}
        error={faults.reference}
        onSearch={(reference) => set({ reference })}
      />
    </>
  );
}

interface SearchInputProps extends Omit<TextInputProps, 'onChange'> {
  value: string;
  onSearch: (text: string) => void;
}

/** A field that searches for what is typed, when the typing pauses. */
function SearchInput({ value, onSearch, ...others }: SearchInputProps) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, SEARCH_DELAY);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value); // cleared, or changed by going back
    setText(value);
  }
  return (
    <TextInput
      {...others}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value.trim());
      }}
    />
  );
}
