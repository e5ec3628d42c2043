import { Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { SPEND_AMOUNT, SPEND_PERIODS } from '../../../../../src/spending/domain/spend-limit';
import { api } from '../../../api/client';
import { submitTo } from '../../../api/form-faults';
import { notifyDone } from '../../../api/notify';
import { useGet, useWrite } from '../../../api/queries';
import { DialogForm } from '../../../components/dialog-form';
import { strings } from '../../../strings';
import type { NumbersData } from '../../numbers/types';
import type { SpendLimit, SpendLimits } from './types';

const texts = strings.settings.spendLimits;

const EVERYTHING = 'tenant';

interface LimitDialogProps {
  known: SpendLimits;
  /** The limit whose amount is to change; null for a new one. */
  changed: SpendLimit | null;
  onClose: () => void;
}

/** Sets a limit, or changes the amount of one. */
export function LimitDialog({ known, changed, onClose }: LimitDialogProps) {
  const form = useForm({
    initialValues: {
      target: changed ? targetOf(changed) : EVERYTHING,
      period: changed?.period ?? 'day',
      currency: changed?.currency ?? known.currencies[0] ?? 'USD',
      amount: changed ? changed.amount.replace(/\.?0+$/, '') : '',
    },
    validate: { amount: (value) => (SPEND_AMOUNT.test(value.trim()) ? null : texts.amountFault) },
  });
  const set = useWrite(
    ({ target, period, currency, amount }: typeof form.values) =>
      api.put('spend-limits', { ...idsOf(target), period, currency, amount: amount.trim() }),
    {
      refresh: ['spend-limits', 'alerts'],
      notify: false,
      onSuccess: () => {
        notifyDone(texts.saved);
        onClose();
      },
    },
  );
  const targets = useTargets(known, changed);
  const currencies = [...new Set([...known.currencies, form.values.currency])];
  return (
    <Modal opened onClose={onClose} title={changed ? texts.changeTitle : texts.create} centered>
      <DialogForm
        onSubmit={submitTo(form, set)}
        onCancel={onClose}
        submit={texts.save}
        isBusy={set.isPending}
      >
        <Select
          label={texts.target}
          data={targets}
          allowDeselect={false}
          disabled={changed !== null}
          {...form.getInputProps('target')}
        />
        <Select
          label={texts.period}
          description={texts.periodHint}
          data={SPEND_PERIODS.map((period) => ({ value: period, label: texts.periods[period] }))}
          allowDeselect={false}
          disabled={changed !== null}
          {...form.getInputProps('period')}
        />
        {currencies.length > 1 && (
          <Select
            label={texts.currency}
            description={texts.currencyHint}
            data={currencies}
            allowDeselect={false}
            disabled={changed !== null}
            {...form.getInputProps('currency')}
          />
        )}
        <TextInput
          label={texts.amountIn(form.values.currency)}
          inputMode="decimal"
          maxLength={16}
          data-autofocus
          {...form.getInputProps('amount')}
        />
      </DialogForm>
    </Modal>
  );
}

/** What a limit may be for: everything, and the tenant's numbers and keys. */
function useTargets({ api_keys: keys }: SpendLimits, changed: SpendLimit | null) {
  const { data } = useGet<NumbersData>('numbers');
  const numbers = data?.business_accounts.flatMap((account) => account.numbers) ?? [];
  const targets = [
    { value: EVERYTHING, label: texts.everything },
    ...numbers.map(({ messaging_account_id: id, name }) => ({
      value: `number:${id}`,
      label: texts.targets.number(name),
    })),
    ...keys.map(({ api_key_id: id, name }) => ({ value: `key:${id}`, label: texts.targets.api_key(name) })),
  ];
  const own = changed && targetOf(changed);
  if (!own || targets.some(({ value }) => value === own)) return targets;
  return [...targets, { value: own, label: changed.name ?? texts.unnamed }]; // a key that was revoked
}

function targetOf({ messaging_account_id: number, api_key_id: key }: SpendLimit): string {
  if (number) return `number:${number}`;
  return key ? `key:${key}` : EVERYTHING;
}

function idsOf(target: string): { messaging_account_id?: string; api_key_id?: string } {
  const [kind, id] = target.split(':');
  if (kind === 'number') return { messaging_account_id: id as string };
  return kind === 'key' ? { api_key_id: id as string } : {};
}
