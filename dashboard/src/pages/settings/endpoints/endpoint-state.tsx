import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { ToneBadge } from '../../../components/tone-badge';
import { formatDateTime } from '../../../format';
import { strings } from '../../../strings';
import type { Endpoint } from './types';

const texts = strings.settings.endpoints;

/** Whether an endpoint takes its events. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { enabled, failing_since, next_try_at, succeeded_at } = endpoint;
  if (!enabled)
    return (
      <ToneBadge
        tone={failing_since ? 'bad' : 'neutral'}
        icon={IconBan}
        label={texts.disabled}
        reason={failing_since && texts.disabledReason}
        size="sm"
      />
    );
  if (failing_since)
    return (
      <ToneBadge
        tone="warn"
        icon={IconAlertTriangle}
        label={texts.failing}
        reason={texts.failingReason(
          formatDateTime(failing_since),
          next_try_at && formatDateTime(next_try_at),
        )}
        size="sm"
      />
    );
  return succeeded_at ? (
    <ToneBadge tone="good" icon={IconCircleCheck} label={texts.working} size="sm" />
  ) : (
    <ToneBadge tone="neutral" icon={IconClock} label={texts.untried} size="sm" />
  );
}
