import { Alert, Anchor, Card, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHeader } from '../../components/page-header';
import { Time } from '../../components/time';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { CampaignActions } from './campaign-actions';
import { costText } from './costs';
import { PausedBecause } from './pause-cause';
import { ProgressCard } from './progress-card';
import { RecipientsTable } from './recipients-table';
import { CampaignStatusBadge } from './status-badge';
import type { CampaignDetail } from './types';

const texts = strings.campaigns;

/** A campaign that was started: its progress, the cause of a pause, and its rows. */
export function StartedPage({ campaign }: { campaign: CampaignDetail }) {
  const { status, cause, progress, starts_at: startsAt, timezone } = campaign;
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={{ to: '/campaigns', label: texts.back }}
        badges={<CampaignStatusBadge status={status} reason={cause?.message} />}
        actions={<CampaignActions campaign={campaign} />}
      />
      <Stack>
        {cause && <PausedBecause campaignId={campaign.campaign_id} cause={cause} />}
        {progress?.holds.map((hold) => (
          <Alert key={`${hold.scope} ${hold.created_at}`} color="yellow" title={texts.detail.heldTitle}>
            {hold.error.title} · <Time at={hold.created_at} />
          </Alert>
        ))}
        {status === 'scheduled' && startsAt && (
          <Alert color="blue" icon={<IconCalendarTime size={18} aria-hidden />} title={texts.detail.startsAt}>
            <Time at={startsAt} exact zone={timezone ?? 'UTC'} /> (<Time at={startsAt} />)
          </Alert>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <ProgressCard campaign={campaign} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Facts campaign={campaign} />
          </Grid.Col>
        </Grid>
        <RecipientsTable campaign={campaign} />
      </Stack>
    </>
  );
}

function Facts({ campaign }: { campaign: CampaignDetail }) {
  const { template, verdict, file } = campaign;
  const { facts } = texts.detail;
  const rows: [string, ReactNode][] = [
    [
      facts.template,
      template.template_id ? (
        <Anchor component={Link} to={`/templates/${template.template_id}`} size="sm">
          {`${template.name} · ${template.language}`}
        </Anchor>
      ) : (
        `${template.name} · ${template.language}`
      ),
    ],
    [facts.number, campaign.account_name],
    [facts.file, file?.name ?? strings.common.none],
    ...(verdict && verdict.bad > 0
      ? [[facts.leftOut, formatNumber(verdict.bad)] as [string, ReactNode]]
      : []),
    ...(verdict?.opted_out ? [[facts.optedOut, formatNumber(verdict.opted_out)] as [string, ReactNode]] : []),
    [facts.cost, verdict ? costText(verdict) : strings.common.none],
    [facts.createdBy, campaign.created_by],
    ...when(facts.started, campaign.started_at),
    ...when(facts.ended, campaign.ended_at),
  ];
  return (
    <Card withBorder h="100%">
      <Title order={2} size="h3" mb="sm">
        {facts.heading}
      </Title>
      <Stack gap={6} component="dl" m={0}>
        {rows.map(([name, value]) => (
          <Group key={name} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Text component="dt" size="sm" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm" ta="end" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function when(name: string, at: string | null): [string, ReactNode][] {
  return at ? [[name, <Time key={name} at={at} />]] : [];
}
