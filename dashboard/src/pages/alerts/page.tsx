import { Button, Stack } from '@mantine/core';
import { IconBellCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/client';
import { queryKey, useWrite } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { type AccountAlert, AlertNotice } from '../../components/account-alerts';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { UNREAD, useUnreadAlerts } from '../../components/unread-alerts';
import { strings } from '../../strings';

const texts = strings.alerts;

/** All open alerts, with those first that matter most, and what to do about each. */
export default function AlertsPage() {
  const query = useLive<AccountAlert[]>('alerts');
  const unread = useUnreadAlerts();
  const markRead = useWrite((id: number) => api.post(`alerts/${id}/read`), { refresh: [UNREAD] });
  const markAllRead = useWrite(() => api.post('alerts/read'), { refresh: [UNREAD] });
  useRenewedUnread(query.data);
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          unread.length > 0 && (
            <Button
              variant="default"
              leftSection={<IconBellCheck size={16} aria-hidden />}
              loading={markAllRead.isPending}
              onClick={() => markAllRead.mutate()}
            >
              {texts.markAllRead}
            </Button>
          )
        }
      />
      <QueryState query={query}>
        {(alerts) =>
          alerts.length === 0 ? (
            <EmptyState icon={IconBellCheck} title={texts.none} description={texts.noneHint} />
          ) : (
            <Stack gap="sm">
              {alerts.map((alert) => (
                <AlertNotice
                  key={alert.alert_id}
                  alert={alert}
                  {...(unread.includes(alert.alert_id) && { onRead: () => markRead.mutate(alert.alert_id) })}
                />
              ))}
            </Stack>
          )
        }
      </QueryState>
    </>
  );
}

/** The bell counts an alert as soon as the list has it. */
function useRenewedUnread(alerts: AccountAlert[] | undefined): void {
  const queryClient = useQueryClient();
  const ids = alerts?.map(({ alert_id }) => alert_id).join();
  useEffect(() => {
    if (ids !== undefined) void queryClient.invalidateQueries({ queryKey: queryKey(UNREAD) });
  }, [ids, queryClient]);
}
