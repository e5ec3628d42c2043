import { Alert, Button, Group, List, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { api } from '../../api/client';
import { submitTo } from '../../api/form-faults';
import { useWrite } from '../../api/queries';
import { DialogForm } from '../../components/dialog-form';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import type { BusinessAccount, NumberCardData } from './types';

const { move: texts, account: accountText } = strings.numbers;

/** Milliseconds, many, as a long queue takes long. When the page no longer waits, a worker completes the move. */
const TIME_LIMIT = 300_000;

interface MoveResult {
  bound: number;
  unbound: number;
}

interface MoveDialogProps {
  number: NumberCardData;
  accounts: BusinessAccount[];
  onClose: () => void;
}

/** Moves a number to another business account. Says before what will happen, and after what has happened. */
export function MoveDialog({ number, accounts, onClose }: MoveDialogProps) {
  const others = accounts.filter(({ business_account_id: id }) => id !== number.business_account_id);
  const form = useForm({
    initialValues: { business_account_id: '', phone_number_id: '' },
    validate: { business_account_id: (value) => (value === '' ? texts.toMissing : null) },
  });
  const move = useWrite(
    (values: typeof form.values) =>
      api.post<MoveResult>(`numbers/${number.messaging_account_id}/move`, values, { timeLimit: TIME_LIMIT }),
    { notify: false, refresh: ['numbers', 'templates', 'campaigns'] },
  );
  return (
    <Modal opened onClose={onClose} title={texts.title(number.name)} size="lg">
      {move.data ? (
        <Done result={move.data} onClose={onClose} />
      ) : others.length === 0 ? (
        <Text size="sm">{texts.noOther}</Text>
      ) : (
        <DialogForm
          onSubmit={submitTo(form, move)}
          onCancel={onClose}
          submit={texts.confirm}
          isBusy={move.isPending}
        >
          <Text size="sm">{texts.intro}</Text>
          <Select
            label={texts.to}
            data={others.map(({ business_account_id: value, waba_id }) => ({
              value,
              label: accountText(waba_id),
            }))}
            data-autofocus
            {...form.getInputProps('business_account_id')}
          />
          <TextInput
            label={texts.phoneNumberId}
            description={texts.phoneNumberIdHint}
            inputMode="numeric"
            {...form.getInputProps('phone_number_id')}
          />
          <Text size="sm" fw={600}>
            {texts.effectsTitle}
          </Text>
          <List size="sm" spacing={4}>
            {texts.effects.map((effect) => (
              <List.Item key={effect}>{effect}</List.Item>
            ))}
          </List>
        </DialogForm>
      )}
    </Modal>
  );
}

function Done({ result: { bound, unbound }, onClose }: { result: MoveResult; onClose: () => void }) {
  return (
    <Stack>
      <Alert color="green" role="status" icon={<IconCircleCheck aria-hidden />} title={texts.done}>
        <Text size="sm">{texts.bound(formatNumber(bound))}</Text>
        {unbound > 0 && <Text size="sm">{texts.unbound(formatNumber(unbound))}</Text>}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Stack>
  );
}
