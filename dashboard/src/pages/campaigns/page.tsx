import { Anchor, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLive } from '../../api/use-live';
import { Can } from '../../components/can';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import classes from './campaigns.module.css';
import { CampaignStatusBadge } from './status-badge';
import type { Campaign } from './types';

const texts = strings.campaigns;

/** Campaigns that are shown at first, and added at a time; the service gives at most 100. */
const STEP = 25;
const MOST = 100;

export default function CampaignsPage() {
  const [limit, setLimit] = useState(STEP);
  const campaigns = useLive<Campaign[]>('campaigns', { limit });
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={<CreateButton />} />
      <QueryState query={campaigns}>
        {(rows) => (
          <>
            <Rows rows={rows} />
            {rows.length === limit && limit < MOST && (
              <Group justify="center" mt="md">
                <Button variant="default" onClick={() => setLimit(MOST)}>
                  {strings.common.loadMore}
                </Button>
              </Group>
            )}
          </>
        )}
      </QueryState>
    </>
  );
}

function CreateButton() {
  return (
    <Can role="editor" hide>
      <Button component={Link} to="/campaigns/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {texts.create}
      </Button>
    </Can>
  );
}

function Rows({ rows }: { rows: Campaign[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={IconSpeakerphone}
        title={texts.noneTitle}
        description={texts.noneText}
        action={<CreateButton />}
      />
    );
  }
  const { columns } = texts;
  return (
    <Table verticalSpacing="sm" highlightOnHover className={classes.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.status}</Table.Th>
          <Table.Th>{columns.progress}</Table.Th>
          <Table.Th>{columns.created}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((campaign) => (
          <Row key={campaign.campaign_id} campaign={campaign} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ campaign }: { campaign: Campaign }) {
  const { campaign_id: id, name, template, status, cause, verdict, accepted_count: done, file } = campaign;
  const all = status === 'draft' ? (file?.rows ?? 0) : (verdict?.good ?? 0);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/campaigns/${id}`} fw={600}>
          {name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {template.name} · {template.language} · {campaign.account_name}
        </Text>
      </Table.Td>
      <Table.Td>
        <CampaignStatusBadge status={status} reason={cause?.message} />
      </Table.Td>
      <Table.Td className="tabular">
        {status === 'draft' ? (
          <Text size="sm" c="dimmed">
            {file ? texts.recipients(all) : strings.common.none}
          </Text>
        ) : (
          <Stack gap={4}>
            <Text size="sm">{texts.handedOver(done, all)}</Text>
            <Progress.Root size="sm" maw={160}>
              <Progress.Section value={all === 0 ? 0 : (done / all) * 100} withAria={false} />
            </Progress.Root>
          </Stack>
        )}
      </Table.Td>
      <Table.Td>
        <Time at={campaign.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
