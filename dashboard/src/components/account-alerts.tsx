import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlertKind } from '../../../src/alerts/domain/alert-kind';
import { ALERT_WORDS } from '../../../src/alerts/domain/alert-words';
import { api } from '../api/client';
import { queryKey } from '../api/queries';
import { useLive } from '../api/use-live';
import { formatNumber } from '../format';
import { strings } from '../strings';
import { Can } from './can';
import { Time } from './time';

const texts = strings.components.alerts;

/** A service that is newer than the page may know more kinds. */
const WORDS: Partial<typeof ALERT_WORDS> = ALERT_WORDS;

export interface AccountAlert {
  alert_id: number;
  business_account_id: string | null;
  kind: AlertKind;
  severity: 'error' | 'warning' | 'info';
  text: string;
  times: number;
  occurred_at: string;
  ends_at: string | null;
  may_dismiss: boolean;
}

const COLORS = { error: 'red', warning: 'yellow', info: 'blue' } as const;

/** The open alerts of one account or of all; nothing when there are none. */
export function AccountAlerts({ account }: { account?: string }) {
  const { data = [] } = useLive<AccountAlert[]>('alerts');
  const shown = data.filter(({ business_account_id: id }) => account === undefined || id === account);
  if (shown.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={texts.region}>
      {shown.map((alert) => (
        <AlertNotice key={alert.alert_id} alert={alert} />
      ))}
    </Stack>
  );
}

/** @param onRead given where the user has not read it */
export function AlertNotice({ alert, onRead }: { alert: AccountAlert; onRead?: () => void }) {
  const words = WORDS[alert.kind];
  const queryClient = useQueryClient();
  const dismissal = useMutation({
    mutationFn: () => api.post(`alerts/${alert.alert_id}/dismiss`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKey('alerts') }),
  });
  return (
    <Alert
      color={COLORS[alert.severity]}
      icon={alert.severity === 'info' ? <IconInfoCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={words?.title ?? texts.otherKind}
      role={alert.severity === 'error' ? 'alert' : 'status'}
    >
      <Stack gap={6}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {alert.text}
        </Text>
        {words && (
          <Text size="sm">
            <b>{texts.advice}</b> {words.advice}
          </Text>
        )}
        <Group gap="sm" justify="space-between">
          <Text size="sm" component="div">
            <Time at={alert.occurred_at} />
            {alert.times > 1 && (
              <Badge variant="default" size="sm" ml={6}>
                {texts.times(formatNumber(alert.times))}
              </Badge>
            )}
            {alert.ends_at && (
              <>
                {'. '}
                {texts.until} <Time at={alert.ends_at} exact />
              </>
            )}
          </Text>
          <Group gap="xs">
            {onRead && (
              <Button size="compact-sm" variant="default" onClick={onRead}>
                {texts.markRead}
              </Button>
            )}
            {alert.may_dismiss && (
              <Can role="editor" hide>
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={dismissal.isPending}
                  onClick={() => dismissal.mutate()}
                >
                  {texts.dismiss}
                </Button>
              </Can>
            )}
          </Group>
        </Group>
      </Stack>
    </Alert>
  );
}
