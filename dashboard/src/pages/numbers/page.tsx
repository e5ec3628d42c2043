import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDeviceMobile, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useLive } from '../../api/use-live';
import { AccountAlerts } from '../../components/account-alerts';
import { Can } from '../../components/can';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { AccountForm } from './account-form';
import { HoldNotice } from './hold-notice';
import { MoveDialog } from './move-dialog';
import { NumberCard } from './number-card';
import { NumberForm } from './number-form';
import type { BusinessAccount, Hold, NumberCardData, NumbersData } from './types';
import { WebhookBox } from './webhook-box';

const texts = strings.numbers;

/** The open form; `null` in it stands for a new number or account. */
type OpenForm =
  | { kind: 'account'; account: BusinessAccount | null }
  | { kind: 'number'; account: BusinessAccount; number: NumberCardData | null }
  | { kind: 'move'; number: NumberCardData };

/** The numbers of the tenant by business account, live. */
export default function NumbersPage() {
  const numbers = useLive<NumbersData>('numbers');
  const [form, setForm] = useState<OpenForm | null>(null);
  const close = () => setForm(null);
  const addAccount = (
    <Can role="owner">
      <Button
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setForm({ kind: 'account', account: null })}
      >
        {texts.addAccount}
      </Button>
    </Can>
  );
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={addAccount} />
      <QueryState query={numbers}>
        {({ business_accounts: accounts, holds }) => (
          <Stack gap="xl">
            {accounts.length === 0 && (
              <EmptyState icon={IconDeviceMobile} title={texts.noneTitle} description={texts.noneText} />
            )}
            {accounts.map((account) => (
              <AccountSection
                key={account.business_account_id}
                account={account}
                holds={holds.filter(({ business_account_id: id }) => id === account.business_account_id)}
                onOpen={setForm}
              />
            ))}
            <WebhookBox accounts={accounts} />
          </Stack>
        )}
      </QueryState>
      {form?.kind === 'account' && <AccountForm account={form.account} onClose={close} />}
      {form?.kind === 'move' && (
        <MoveDialog number={form.number} accounts={numbers.data?.business_accounts ?? []} onClose={close} />
      )}
      {form?.kind === 'number' && <NumberForm account={form.account} number={form.number} onClose={close} />}
    </>
  );
}

interface AccountSectionProps {
  account: BusinessAccount;
  holds: Hold[];
  onOpen: (form: OpenForm) => void;
}

function AccountSection({ account, holds, onOpen }: AccountSectionProps) {
  const { numbers, templates, templates_synced_at: syncedAt } = account;
  const title = texts.account(account.waba_id);
  const ofNumber = ({ messaging_account_id: id }: NumberCardData) =>
    holds.filter(({ number }) => number?.messaging_account_id === id);
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
        <div>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" component="div">
            {texts.templates(templates)},{' '}
            {syncedAt ? (
              <>
                {texts.synced} <Time at={syncedAt} />
              </>
            ) : (
              texts.neverSynced
            )}
          </Text>
        </div>
        <Group gap="xs">
          <Can role="owner" hide>
            <Button
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'account', account })}
            >
              {texts.edit}
            </Button>
          </Can>
          <Can role="owner" hide>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onOpen({ kind: 'number', account, number: null })}
            >
              {texts.addNumber}
            </Button>
          </Can>
        </Group>
      </Group>
      <Stack gap="sm">
        <AccountAlerts account={account.business_account_id} />
        {holds
          .filter(({ scope }) => scope !== 'number')
          .map((hold) => (
            <HoldNotice key={hold.hold_id} hold={hold} />
          ))}
        {numbers.length === 0 && (
          <EmptyState
            icon={IconDeviceMobile}
            title={texts.noNumbersTitle}
            description={texts.noNumbersText}
          />
        )}
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
          {numbers.map((number) => (
            <NumberCard
              key={number.messaging_account_id}
              number={number}
              account={account}
              holds={ofNumber(number)}
              onEdit={() => onOpen({ kind: 'number', account, number })}
              onMove={() => onOpen({ kind: 'move', number })}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </section>
  );
}
