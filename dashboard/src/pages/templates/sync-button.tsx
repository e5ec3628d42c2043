import { Button, Menu, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Can } from '../../components/can';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import type { BusinessAccount } from './types';

const texts = strings.templates;

/** Syncs the templates now, for the only business account or a chosen one. */
export function SyncButton({ accounts }: { accounts: BusinessAccount[] }) {
  const sync = useWrite(
    (business_account_id: string) =>
      api.post<{ created: number; updated: number; removed: number }>('templates/sync', {
        business_account_id,
      }),
    { refresh: ['templates'], onSuccess: (result) => notifyDone(texts.syncDone(result)) },
  );
  const [first, ...others] = accounts;
  if (!first) return null;
  const button = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={sync.isPending}
      {...(others.length === 0 && { onClick: () => sync.mutate(first.business_account_id) })}
    >
      {texts.sync}
    </Button>
  );
  if (others.length === 0) return <Can role="editor">{button}</Can>;
  return (
    <Can role="editor" hide>
      <Menu position="bottom-end">
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          {accounts.map((account) => (
            <Menu.Item
              key={account.business_account_id}
              onClick={() => sync.mutate(account.business_account_id)}
            >
              {texts.syncAccount(account.waba_id)}
              <Text size="xs" c="dimmed">
                <SyncedAt account={account} />
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Can>
  );
}

export function SyncedAt({ account }: { account: BusinessAccount }) {
  if (!account.templates_synced_at) return texts.neverSynced;
  return (
    <>
      {texts.synced} <Time at={account.templates_synced_at} />
    </>
  );
}
