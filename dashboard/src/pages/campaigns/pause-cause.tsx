import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { PauseCause } from '../../../../src/campaigns/domain/campaign-status';
import { useGet } from '../../api/queries';
import { strings } from '../../strings';
import { costText } from './costs';
import type { RestOfCampaign } from './types';

const texts = strings.campaigns.detail;

/** Why the service has paused the campaign and, if the price has changed, what going on would cost. */
export function PausedBecause({ campaignId, cause }: { campaignId: number; cause: PauseCause }) {
  return (
    <Alert
      color="yellow"
      role="alert"
      title={texts.pausedBecause}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      {cause.message}
      {cause.categories && <NewPrice campaignId={campaignId} />}
    </Alert>
  );
}

function NewPrice({ campaignId }: { campaignId: number }) {
  const rest = useGet<RestOfCampaign | null>(`campaigns/${campaignId}/rest`);
  if (!rest.data) return null;
  const { recipients, before, now } = rest.data;
  return (
    <Text size="sm" mt="xs" fw={600}>
      {texts.newPrice(recipients, costText({ costs: now }), costText({ costs: before }))}
    </Text>
  );
}
