import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Choice } from '../../components/choice';
import { strings } from '../../strings';

const texts = strings.settings.rateCard;

interface ConfirmCardProps {
  /** The file that was compared. */
  csv: string;
  onDone: () => void;
}

/** Asks when the card should take effect, and loads it. */
export function ConfirmCard({ csv, onDone }: ConfirmCardProps) {
  const form = useForm({
    initialValues: { when: 'now', effective_from: '' },
    validate: {
      effective_from: (value, { when }) => (when === 'later' && value === '' ? texts.atMissing : null),
    },
  });
  const load = useWrite(
    ({ when, effective_from }: typeof form.values) =>
      api.post('rate-cards', { csv, ...(when === 'later' && { effective_from: `${effective_from}Z` }) }),
    {
      refresh: ['rate-cards'],
      notify: false,
      onSuccess: () => {
        notifyDone(texts.done);
        onDone();
      },
    },
  );
  return (
    <Card withBorder padding="lg">
      <form noValidate onSubmit={submitTo(form, load)}>
        <Stack>
          <Choice
            label={texts.effective}
            data={[
              { value: 'now', label: texts.atOnce },
              { value: 'later', label: texts.atTime },
            ]}
            {...form.getInputProps('when')}
          />
          {form.values.when === 'later' && (
            <TextInput
              label={texts.at}
              type="datetime-local"
              maw={260}
              {...form.getInputProps('effective_from')}
            />
          )}
          <Group>
            <Button type="submit" loading={load.isPending}>
              {texts.confirm}
            </Button>
            <Text size="sm" c="dimmed">
              {texts.confirmHint}
            </Text>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
