import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { strings } from '../../strings';
import type { TemplateFacets } from './types';
import type { TemplateFilters } from './use-template-filters';

const texts = strings.templates;

/** Milliseconds after the last letter before a search begins. */
const SEARCH_DELAY = 250;

interface FilterBarProps {
  state: TemplateFilters;
  facets: TemplateFacets | undefined;
}

export function FilterBar({ state, facets }: FilterBarProps) {
  const { filters, set, isActive, clear } = state;
  const [clears, setClears] = useState(0); // each change makes the search a new, empty field
  const numbers = facets?.business_accounts.flatMap((account) => account.numbers) ?? [];
  return (
    <Group gap="sm" mb="md" align="flex-end" role="search" aria-label={texts.filters}>
      <SearchInput key={clears} value={filters.search ?? ''} onSearch={(value) => set('search', value)} />
      <Choice
        label={texts.status}
        value={filters.status}
        options={Object.entries(strings.components.templateStatus)}
        onChange={(value) => set('status', value)}
      />
      <Choice
        label={texts.category}
        value={filters.category}
        options={Object.entries(strings.components.category)}
        onChange={(value) => set('category', value)}
      />
      <Choice
        label={texts.language}
        value={filters.language}
        options={(facets?.languages ?? []).map((language) => [language, language])}
        onChange={(value) => set('language', value)}
      />
      <Choice
        label={texts.quality}
        value={filters.quality}
        options={Object.entries(strings.components.quality)}
        onChange={(value) => set('quality', value)}
      />
      {numbers.length > 1 && (
        <Choice
          label={texts.number}
          value={filters.messaging_account_id}
          options={numbers.map(({ messaging_account_id, name }) => [messaging_account_id, name])}
          onChange={(value) => set('messaging_account_id', value)}
        />
      )}
      {isActive && (
        <Button
          variant="subtle"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => {
            clear();
            setClears(clears + 1);
          }}
        >
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}

function SearchInput({ value, onSearch }: { value: string; onSearch: (value: string) => void }) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, SEARCH_DELAY);
  return (
    <TextInput
      label={texts.search}
      placeholder={texts.searchHint}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      maxLength={200}
      w={{ base: '100%', xs: 220 }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}

interface ChoiceProps {
  label: string;
  value: string | null;
  options: [value: string, label: string][];
  onChange: (value: string | null) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      placeholder={texts.any}
      value={value}
      data={options.map(([option, text]) => ({ value: option, label: text }))}
      onChange={onChange}
      clearable
      w={{ base: 'calc(50% - 6px)', xs: 160 }}
    />
  );
}
