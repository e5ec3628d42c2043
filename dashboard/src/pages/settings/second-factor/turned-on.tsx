import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client';
import { notifyDone } from '../../../api/notify';
import { Time } from '../../../components/time';
import { strings } from '../../../strings';
import type { NewRecoveryCodes } from '../types';
import { ProofDialog } from './proof-dialog';

const texts = strings.settings.secondFactor;

/** With so few codes left, the page advises to make new ones. */
const FEW_CODES = 2;

interface TurnedOnProps {
  since: string;
  codesLeft: number;
  onRenewed: (recoveryCodes: string[]) => void;
}

/** Says that the second factor is on, and offers what can be done with password and code. */
export function TurnedOn({ since, codesLeft, onRenewed }: TurnedOnProps) {
  const [open, setOpen] = useState<'renew' | 'off' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card withBorder maw={520} padding="lg">
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <IconShieldCheck size={20} aria-hidden />
          <Text size="sm" component="div">
            {texts.onSince} <Time at={since} />. {texts.codesLeft(codesLeft)}
          </Text>
        </Group>
        {codesLeft <= FEW_CODES && (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="status">
            {texts.fewCodes}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setOpen('renew')}>
            {texts.renew}
          </Button>
          <Button color="red.9" onClick={() => setOpen('off')}>
            {texts.turnOff}
          </Button>
        </Group>
      </Stack>
      <ProofDialog
        opened={open === 'renew'}
        title={texts.renew}
        text={texts.renewText}
        submit={texts.renew}
        call={(proof) => api.post<NewRecoveryCodes>('second-factor/recovery-codes', proof)}
        onDone={({ recovery_codes }) => {
          close();
          onRenewed(recovery_codes);
        }}
        onClose={close}
      />
      <ProofDialog
        opened={open === 'off'}
        title={texts.turnOff}
        text={texts.turnOffText}
        submit={texts.turnOff}
        call={(proof) => api.delete('second-factor', proof)}
        onDone={() => {
          close();
          notifyDone(texts.turnedOff);
        }}
        onClose={close}
      />
    </Card>
  );
}
