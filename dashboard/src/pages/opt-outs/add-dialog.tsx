import { Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_REASON, OPT_OUT_SCOPES } from '../../../../src/recipients/domain/opt-out';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { DialogForm } from '../../components/dialog-form';
import { strings } from '../../strings';
import type { OptOut } from './types';

const texts = strings.optOuts;

/** Keeps messages from a recipient. */
export function AddDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const form = useForm({
    initialValues: { phone: '', scope: 'marketing', reason: '' },
    validate: { phone: (value) => (value.trim() === '' ? texts.phoneMissing : null) },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const add = useWrite(
    ({ phone, scope, reason }: typeof form.values) =>
      api.put<OptOut>(`opt-outs/${encodeURIComponent(phone.trim())}`, {
        scope,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      }),
    {
      refresh: ['opt-outs'],
      notify: false,
      onSuccess: ({ phone }) => {
        notifyDone(texts.added(phone));
        close();
      },
    },
  );
  return (
    <Modal opened={opened} onClose={close} title={texts.add} centered>
      <DialogForm onSubmit={submitTo(form, add)} onCancel={close} submit={texts.add} isBusy={add.isPending}>
        <TextInput
          label={texts.phone}
          maxLength={40}
          inputMode="tel"
          data-autofocus
          {...form.getInputProps('phone')}
        />
        <Radio.Group label={texts.scope} {...form.getInputProps('scope')}>
          <Stack gap="xs" mt="xs">
            {OPT_OUT_SCOPES.map((scope) => (
              <Radio
                key={scope}
                value={scope}
                label={texts.scopes[scope]}
                description={texts.scopeHints[scope]}
              />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput label={texts.reason} maxLength={MAX_REASON} {...form.getInputProps('reason')} />
      </DialogForm>
    </Modal>
  );
}
