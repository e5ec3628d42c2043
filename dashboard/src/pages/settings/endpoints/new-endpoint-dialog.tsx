import { MultiSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { EVENT_TYPES } from '../../../../../src/events/domain/event-types';
import { api } from '../../../api/client';
import { submitTo } from '../../../api/form-faults';
import { useWrite } from '../../../api/queries';
import { DialogForm } from '../../../components/dialog-form';
import { ShownOnce } from '../../../components/shown-once';
import { strings } from '../../../strings';

const texts = strings.settings.endpoints;

interface NewEndpointDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Adds an endpoint, and shows its secret only once. */
export function NewEndpointDialog({ opened, onClose }: NewEndpointDialogProps) {
  const form = useForm({
    initialValues: { url: '', description: '', types: [] as string[] },
    validate: { url: (value) => (value.trim() === '' ? texts.urlMissing : null) },
  });
  const create = useWrite(
    ({ url, description, types }: typeof form.values) =>
      api.post<{ secret: string }>('webhook-endpoints', {
        url: url.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
        ...(types.length > 0 && { types }),
      }),
    { refresh: ['webhook-endpoints'], notify: false },
  );
  const close = () => {
    form.reset();
    create.reset();
    onClose();
  };
  return (
    <ShownOnce
      opened={opened}
      onClose={close}
      title={texts.create}
      secret={create.data?.secret}
      texts={texts}
    >
      <DialogForm
        onSubmit={submitTo(form, create)}
        onCancel={close}
        submit={texts.create}
        isBusy={create.isPending}
      >
        <TextInput
          label={texts.url}
          description={texts.urlHint}
          placeholder="https://example.com/webhooks"
          dir="ltr"
          maxLength={2_048}
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput label={texts.note} maxLength={200} {...form.getInputProps('description')} />
        <MultiSelect
          label={texts.types}
          description={texts.typesHint}
          placeholder={form.values.types.length === 0 ? texts.allTypes : ''}
          data={[...EVENT_TYPES]}
          searchable
          {...form.getInputProps('types')}
        />
      </DialogForm>
    </ShownOnce>
  );
}
