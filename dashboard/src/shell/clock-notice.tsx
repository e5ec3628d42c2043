import { Alert } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconClockPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useService } from '../api/session';
import { serviceNow } from '../api/service-clock';
import { formatDateTime } from '../format';
import { strings } from '../strings';

/** Says that the clock of a sandbox was moved, and what it shows. */
export function ClockNotice() {
  const { clock_ahead } = useService();
  return clock_ahead > 0 && <MovedClock ahead={clock_ahead} />;
}

function MovedClock({ ahead }: { ahead: number }) {
  const [now, setNow] = useState(serviceNow);
  useInterval(() => setNow(serviceNow()), 1_000, { autoInvoke: true });
  const { title, shows } = strings.shell.clock;
  return (
    <Alert
      color="yellow"
      icon={<IconClockPlay aria-hidden />}
      title={title(ahead)}
      role="note"
      mb="md"
      py="sm"
    >
      {shows(formatDateTime(new Date(now).toISOString()))}
    </Alert>
  );
}
