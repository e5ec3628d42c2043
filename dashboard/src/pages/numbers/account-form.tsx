import { Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { strings } from '../../strings';
import { ConnectionTest } from './connection-test';
import type { BusinessAccount } from './types';

const { accountForm: texts, ...shared } = strings.numbers;

interface AccountFormProps {
  /** Null for a new account. */
  account: BusinessAccount | null;
  onClose: () => void;
}

/** Adds or changes a business account. Secrets go to the service and never come back. */
export function AccountForm({ account, onClose }: AccountFormProps) {
  const form = useForm({
    initialValues: {
      waba_id: account?.waba_id ?? '',
      app_id: account?.app_id ?? '',
      access_token: '',
      app_secret: '',
    },
  });
  const test = useWrite(
    () => {
      const { waba_id, access_token } = form.getValues();
      const of = account && { business_account_id: account.business_account_id };
      return api.post('numbers/business-accounts/test', { ...of, waba_id, access_token });
    },
    { notify: false },
  );
  const save = useWrite(
    ({ waba_id, ...others }: typeof form.values) =>
      account
        ? api.patch(`numbers/business-accounts/${account.business_account_id}`, others)
        : api.post('numbers/business-accounts', { waba_id, ...others }),
    {
      notify: false,
      refresh: ['numbers', 'templates'],
      onSuccess: () => {
        notifyDone(account ? texts.saved : texts.added);
        onClose();
      },
    },
  );
  const secret = {
    autoComplete: 'off',
    required: !account,
    ...(account && { placeholder: texts.unchanged }),
  };
  return (
    <Modal opened onClose={onClose} title={account ? texts.edit : texts.add} size="lg">
      <form onSubmit={submitTo(form, save)} noValidate>
        <Stack>
          <TextInput
            label={shared.wabaId}
            description={account ? texts.wabaFixed : texts.wabaHint}
            required={!account}
            disabled={account !== null}
            inputMode="numeric"
            data-autofocus={account ? undefined : true}
            {...form.getInputProps('waba_id')}
          />
          <PasswordInput
            label={texts.token}
            description={texts.tokenHint}
            {...secret}
            {...form.getInputProps('access_token')}
          />
          <PasswordInput
            label={texts.secret}
            description={texts.secretHint}
            {...secret}
            {...form.getInputProps('app_secret')}
          />
          <TextInput
            label={shared.appId}
            description={texts.appHint}
            placeholder={texts.optional}
            inputMode="numeric"
            {...form.getInputProps('app_id')}
          />
          <ConnectionTest test={test} result={shared.test.ok} isSaving={save.isPending} />
        </Stack>
      </form>
    </Modal>
  );
}
