import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CampaignWarning } from '../../../../src/campaigns/domain/campaign-warnings';
import { Time } from '../../components/time';
import { strings } from '../../strings';

const { warnings: texts } = strings.campaigns;

/** Warnings before the start. */
export function Warnings({ warnings }: { warnings: CampaignWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />} title={texts.title}>
      <List size="sm" spacing="xs">
        {warnings.map((warning) => (
          <List.Item key={warning.kind}>
            <Warning warning={warning} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Warning({ warning }: { warning: CampaignWarning }) {
  if (warning.kind === 'us_marketing') return texts.usMarketing(warning.recipients);
  if (warning.kind === 'limit') return texts.limit(warning.limit, warning.reached, warning.hours);
  return (
    <Text span size="sm">
      {texts.categoryChange(warning.category)} <Time at={warning.at} exact />.
    </Text>
  );
}
