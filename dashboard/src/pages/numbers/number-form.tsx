import { Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { strings } from '../../strings';
import { ConnectionTest } from './connection-test';
import type { BusinessAccount, NumberCardData } from './types';

const { numberForm: texts, ...shared } = strings.numbers;

interface NumberFormProps {
  account: BusinessAccount;
  /** Null for a new number. */
  number: NumberCardData | null;
  onClose: () => void;
}

/** What the provider says of a number. */
interface KnownNumber {
  display_phone_number: string | null;
  verified_name: string | null;
}

/** Adds a number to a business account, or changes one. */
export function NumberForm({ account, number, onClose }: NumberFormProps) {
  const form = useForm({
    initialValues: {
      phone_number_id: number?.phone_number_id ?? '',
      phone: number ? `+${number.phone}` : '',
      name: number?.name ?? '',
      messages_per_second: (number?.messages_per_second ?? 80) as number | string,
    },
  });
  const { business_account_id } = account;
  const test = useWrite(
    () => {
      const { phone_number_id } = form.getValues();
      return api.post<KnownNumber>('numbers/test', { business_account_id, phone_number_id });
    },
    {
      notify: false,
      onSuccess: ({ display_phone_number: phone, verified_name: name }) => {
        if (phone && !form.getValues().phone) form.setFieldValue('phone', phone);
        if (name && !form.getValues().name) form.setFieldValue('name', name);
      },
    },
  );
  const save = useWrite(
    (values: typeof form.values) =>
      number
        ? api.patch(`numbers/${number.messaging_account_id}`, values)
        : api.post('numbers', { business_account_id, ...values }),
    {
      notify: false,
      refresh: ['numbers'],
      onSuccess: () => {
        notifyDone(number ? texts.saved : texts.added);
        onClose();
      },
    },
  );
  return (
    <Modal opened onClose={onClose} title={number ? texts.edit : texts.add} size="lg">
      <form onSubmit={submitTo(form, save)} noValidate>
        <Stack>
          <TextInput
            label={texts.phoneNumberId}
            description={texts.phoneNumberIdHint}
            required
            inputMode="numeric"
            data-autofocus
            {...form.getInputProps('phone_number_id')}
          />
          <TextInput
            label={texts.phone}
            description={texts.phoneHint}
            required
            type="tel"
            {...form.getInputProps('phone')}
          />
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <NumberInput
            label={texts.rate}
            description={texts.rateHint}
            required
            allowDecimal={false}
            {...form.getInputProps('messages_per_second')}
          />
          <ConnectionTest
            test={test}
            result={test.data && <Known number={test.data} entered={form.values.phone} />}
            isSaving={save.isPending}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function Known({ number, entered }: { number: KnownNumber; entered: string }) {
  const { display_phone_number: phone, verified_name: name } = number;
  if (!phone) return shared.test.ok;
  const isOther = entered !== '' && digits(entered) !== digits(phone);
  return (
    <>
      {shared.test.number(phone, name ?? strings.common.none)}
      {isOther && (
        <Text size="sm" fw={600}>
          {shared.test.other}
        </Text>
      )}
    </>
  );
}

function digits(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}
