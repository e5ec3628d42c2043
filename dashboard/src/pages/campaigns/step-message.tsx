import { Button, Grid, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useGet } from '../../api/queries';
import { QueryState } from '../../components/query-state';
import { PhonePreview } from '../../preview/phone-preview';
import { strings } from '../../strings';
import type { TemplateDetail, TemplateFacets, TemplateRow } from '../templates/types';
import type { MessageChoice } from './types';

const texts = strings.campaigns.message;

interface StepMessageProps {
  initial?: MessageChoice;
  /** Resolves when the choice is saved; the caller shows faults. */
  onDone: (choice: MessageChoice) => Promise<unknown>;
}

/** The name, the number and the template. */
export function StepMessage({ initial, onDone }: StepMessageProps) {
  const facets = useGet<TemplateFacets>('templates/facets');
  return (
    <QueryState query={facets}>
      {({ business_accounts: accounts }) => (
        <Form numbers={accounts.flatMap(({ numbers }) => numbers)} initial={initial} onDone={onDone} />
      )}
    </QueryState>
  );
}

interface FormProps {
  numbers: { messaging_account_id: string; name: string; phone: string }[];
  initial: MessageChoice | undefined;
  onDone: StepMessageProps['onDone'];
}

function Form({ numbers, initial, onDone }: FormProps) {
  const [name, setName] = useState(initial?.name ?? '');
  const [number, setNumber] = useState(
    initial?.messaging_account_id ?? numbers[0]?.messaging_account_id ?? null,
  );
  const [template, setTemplate] = useState(initial ? keyOf(initial.template) : null);
  const [isTried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const templates = useGet<TemplateRow[]>(
    'templates',
    { status: 'APPROVED', messaging_account_id: number, limit: 200 },
    { enabled: number !== null },
  );
  const chosen = templates.data?.find((row) => keyOf(row) === template);
  const submit = async () => {
    setTried(true);
    if (name.trim() === '' || number === null || !chosen) return;
    setSaving(true);
    const choice = { name: chosen.name, language: chosen.language };
    await onDone({ name: name.trim(), messaging_account_id: number, template: choice });
    setSaving(false);
  };
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHelp}
            placeholder={texts.namePlaceholder}
            maxLength={120}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isTried && name.trim() === '' && texts.nameMissing}
          />
          <Select
            label={texts.number}
            required
            allowDeselect={false}
            data={numbers.map((one) => ({
              value: one.messaging_account_id,
              label: `${one.name} · +${one.phone}`,
            }))}
            value={number}
            onChange={setNumber}
            error={isTried && number === null && texts.numberMissing}
          />
          <Select
            label={texts.template}
            placeholder={texts.templateSearch}
            required
            searchable
            allowDeselect={false}
            disabled={!templates.data}
            nothingFoundMessage={texts.noTemplates}
            data={(templates.data ?? []).map((row) => ({
              value: keyOf(row),
              label: `${row.name} · ${row.language}`,
            }))}
            value={template}
            onChange={setTemplate}
            error={isTried && !chosen && texts.templateMissing}
          />
          <Group justify="flex-end">
            <Button onClick={() => void submit()} loading={isSaving}>
              {strings.campaigns.steps.next}
            </Button>
          </Group>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Text fw={600} mb="xs">
          {texts.preview}
        </Text>
        {chosen ? (
          <Preview key={chosen.template_id} id={chosen.template_id} />
        ) : (
          <Text c="dimmed">{texts.previewLater}</Text>
        )}
      </Grid.Col>
    </Grid>
  );
}

function Preview({ id }: { id: number }) {
  const template = useGet<TemplateDetail>(`templates/${id}`);
  return (
    <QueryState query={template} loading={<Skeleton h={180} maw={360} />}>
      {({ components, language }) => <PhonePreview components={components} language={language} />}
    </QueryState>
  );
}

function keyOf({ name, language }: { name: string; language: string }): string {
  return `${name}|${language}`;
}
