import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router';
import { strings } from '../strings';
import { useUnreadAlerts } from '../components/unread-alerts';

/** Leads to the alerts, and counts those that the user has not read. */
export function AlertBell() {
  const unread = useUnreadAlerts().length;
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={16} color="red" offset={6} disabled={unread === 0}>
      <ActionIcon
        component={Link}
        to="/alerts"
        variant="subtle"
        color="gray"
        size="lg"
        radius="xl"
        aria-label={strings.shell.alerts(unread)}
      >
        <IconBell size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Indicator>
  );
}
