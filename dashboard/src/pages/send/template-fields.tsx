import { Alert, Group, Select, type SelectProps, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useGet } from '../../api/queries';
import { CategoryBadge } from '../../components/category-badge';
import { QualityBadge } from '../../components/quality-badge';
import { StatusBadge } from '../../components/status-badge';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import type { BusinessAccount, TemplateDetail, TemplateRow } from '../templates/types';
import type { TemplateNeeds } from './template-needs';
import type { SendForm } from './use-send-form';

const texts = strings.send;

/** More templates than the provider allows an account. */
const ALL = 6_000;

interface TemplateFieldsProps {
  form: SendForm;
  accounts: BusinessAccount[];
  template: TemplateDetail | undefined;
  needs: TemplateNeeds | null;
}

/** The fields for the number and the template. */
export function TemplateFields({ form, accounts, template, needs }: TemplateFieldsProps) {
  const { messaging_account_id: number } = form.values;
  useNumber(form, accounts, template);
  const rows = useGet<TemplateRow[]>(
    'templates',
    { messaging_account_id: number, limit: ALL },
    { enabled: number !== null },
  );
  const sendable = (rows.data ?? []).filter(({ status }) => status === 'APPROVED' || status === 'PAUSED');
  const changeNumber = (id: string | null) => {
    if (accountOf(accounts, id) !== accountOf(accounts, number)) form.setFieldValue('template_id', null);
    form.setFieldValue('messaging_account_id', id);
  };
  return (
    <Section title={texts.sections.template}>
      <Select
        label={texts.number}
        data={accounts.flatMap(({ numbers }) =>
          numbers.map(({ messaging_account_id: value, name, phone }) => ({
            value,
            label: `${name} (+${phone})`,
          })),
        )}
        allowDeselect={false}
        {...form.getInputProps('messaging_account_id')}
        onChange={changeNumber}
      />
      <Select
        label={texts.template}
        placeholder={texts.templateHint}
        searchable
        data={byLanguage(sendable)}
        renderOption={optionOf(sendable)}
        nothingFoundMessage={sendable.length === 0 ? texts.noTemplates : texts.noTemplateFound}
        {...form.getInputProps('template_id')}
      />
      {template && <Notices template={template} needs={needs} />}
    </Section>
  );
}

/** Chooses a number at the start: one that may send the template, if a template is chosen already. */
function useNumber(form: SendForm, accounts: BusinessAccount[], template: TemplateDetail | undefined): void {
  const { messaging_account_id: number } = form.values;
  const wanted =
    template?.business_account_id ?? accounts.find(({ numbers }) => numbers[0])?.business_account_id;
  const isFit = number !== null && (!template || accountOf(accounts, number) === wanted);
  const fitting = accounts.find(({ business_account_id }) => business_account_id === wanted)?.numbers[0];
  const next = isFit ? number : (fitting?.messaging_account_id ?? null);
  const { setFieldValue } = form;
  useEffect(() => {
    if (next !== number) setFieldValue('messaging_account_id', next);
  }, [next, number, setFieldValue]);
}

function accountOf(accounts: BusinessAccount[], number: string | null): string | undefined {
  return accounts.find(({ numbers }) => numbers.some((one) => one.messaging_account_id === number))
    ?.business_account_id;
}

function byLanguage(rows: TemplateRow[]) {
  const languages = [...new Set(rows.map(({ language }) => language))].toSorted();
  return languages.map((group) => ({
    group,
    items: rows
      .filter(({ language }) => language === group)
      .map(({ template_id, name, status }) => ({
        value: String(template_id),
        label: `${name} (${group})`,
        disabled: status !== 'APPROVED',
      })),
  }));
}

function optionOf(rows: TemplateRow[]): NonNullable<SelectProps['renderOption']> {
  const byId = new Map(rows.map((row) => [String(row.template_id), row]));
  return function TemplateOption({ option }) {
    const row = byId.get(option.value);
    if (!row) return option.label;
    return (
      <Group justify="space-between" gap="xs" w="100%">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {row.name}
        </Text>
        <Group gap={6}>
          {row.status === 'APPROVED' ? (
            <QualityBadge quality={row.quality} size="sm" />
          ) : (
            <StatusBadge status={row.status} size="sm" />
          )}
          <CategoryBadge category={row.category} />
        </Group>
      </Group>
    );
  };
}

function Notices({ template, needs }: Pick<TemplateFieldsProps, 'needs'> & { template: TemplateDetail }) {
  const { status, status_reason: reason, quality, category, hold } = template;
  return (
    <>
      <Group gap={6}>
        <StatusBadge status={status} reason={reason} />
        <QualityBadge quality={quality} />
        <CategoryBadge category={category} />
      </Group>
      {status !== 'APPROVED' && (
        <Notice title={texts.notSendable(strings.components.templateStatus[status as 'PAUSED'] ?? status)}>
          {reason}
        </Notice>
      )}
      {hold && <Notice title={texts.heldTitle}>{texts.held(hold.error.title)}</Notice>}
      {quality === 'RED' && <Notice title={texts.lowQuality} />}
      {needs?.isUnsupported && <Notice title={texts.unsupported} />}
    </>
  );
}

function Notice({ title, children }: { title: string; children?: string | null }) {
  const Icon = title === texts.heldTitle ? IconPlayerPause : IconAlertTriangle;
  return (
    <Alert color="yellow" icon={<Icon aria-hidden />} title={title}>
      {children}
    </Alert>
  );
}
