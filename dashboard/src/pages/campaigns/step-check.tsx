import { Alert, Button, Checkbox, Group, Loader, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconUpload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { api } from '../../api/client';
import { toFault } from '../../api/fault';
import { usePages, useWrite } from '../../api/queries';
import { slotsOf } from '../../../../src/campaigns/domain/mapping';
import { ErrorState } from '../../components/error-state';
import { ExportButton } from '../../components/export-button';
import { LoadingState } from '../../components/loading-state';
import { LoadMore } from '../../components/load-more';
import { strings } from '../../strings';
import classes from './campaigns.module.css';
import { slotLabel } from './slot-label';
import { contentOf } from './template-content';
import type { Campaign, CampaignDetail, CampaignRow } from './types';

const texts = strings.campaigns.check;

interface StepCheckProps {
  campaign: CampaignDetail;
  leavesOut: boolean;
  onLeaveOut: (leavesOut: boolean) => void;
  onCorrect: () => void;
  onDone: () => void;
}

/** Shows the service's check of every row, and starts the check by itself if there was none. */
export function StepCheck(props: StepCheckProps) {
  const { campaign } = props;
  const path = `campaigns/${campaign.campaign_id}`;
  const check = useWrite(() => api.post<Campaign>(`${path}/check`), { refresh: [path], notify: false });
  const { verdict } = campaign;
  const { mutate, isIdle } = check;
  useEffect(() => {
    if (!verdict && isIdle) mutate();
  }, [verdict, isIdle, mutate]);
  // The check of a long list goes on when its answer is lost; the draft shows when it is done.
  if (check.error && !verdict) return <ErrorState fault={check.error} onRetry={() => mutate()} />;
  if (!verdict || check.isPending) {
    return (
      <Group role="status">
        <Loader size="sm" aria-hidden />
        <Text>{texts.checking}</Text>
      </Group>
    );
  }
  const isRefused = check.error && !toFault(check.error).isUnreachable;
  return (
    <Stack>
      {isRefused && <ErrorState fault={check.error} onRetry={() => mutate()} />}
      <Verdict {...props} good={verdict.good} bad={verdict.bad} onAgain={() => mutate()} />
    </Stack>
  );
}

interface VerdictProps extends StepCheckProps {
  good: number;
  bad: number;
  onAgain: () => void;
}

function Verdict({ campaign, good, bad, leavesOut, onLeaveOut, onCorrect, onDone, onAgain }: VerdictProps) {
  const optedOut = campaign.verdict?.opted_out ?? 0;
  const words =
    bad === 0 && good > 0 ? texts.allGood(good) : good === 0 ? texts.allBad : texts.someBad(good, bad);
  return (
    <Stack>
      <Alert
        color={bad === 0 ? 'brand' : good === 0 ? 'red' : 'yellow'}
        icon={
          bad === 0 ? <IconCircleCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />
        }
        role="status"
      >
        <Text fw={600}>{words}</Text>
        {optedOut > 0 && <Text size="sm">{texts.optedOut(optedOut)}</Text>}
      </Alert>
      {bad > 0 && (
        <>
          <Group gap="xs">
            <ExportButton path={`campaigns/${campaign.campaign_id}/faults`} label={texts.download} />
            <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={onCorrect}>
              {texts.correct}
            </Button>
          </Group>
          <Faults key={campaign.verdict?.checked_at} campaign={campaign} />
        </>
      )}
      {bad > 0 && good > 0 && (
        <Checkbox
          label={texts.leaveOut(bad)}
          checked={leavesOut}
          onChange={(event) => onLeaveOut(event.currentTarget.checked)}
        />
      )}
      <Group justify="space-between">
        <Button variant="subtle" onClick={onAgain}>
          {texts.again}
        </Button>
        <Button disabled={good === 0 || (bad > 0 && !leavesOut)} onClick={onDone}>
          {strings.campaigns.steps.next}
        </Button>
      </Group>
    </Stack>
  );
}

function Faults({ campaign }: { campaign: CampaignDetail }) {
  const { campaign_id: id } = campaign;
  const pages = usePages<CampaignRow>(`campaigns/${id}/rows`, { faulty: true, limit: 25 });
  if (pages.isPending) return <LoadingState />;
  const { columns } = texts;
  return (
    <>
      <Table.ScrollContainer minWidth={620}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{columns.row}</Table.Th>
              <Table.Th>{columns.column}</Table.Th>
              <Table.Th>{columns.value}</Table.Th>
              <Table.Th>{columns.fault}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pages.rows.map((row) => (
              <FaultRow key={row.row_number} row={row} campaign={campaign} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <LoadMore pages={pages} />
    </>
  );
}

/** Characters of a cell that are shown. */
const SHOWN = 80;

function FaultRow({
  row: { row_number, cells, fault },
  campaign,
}: {
  row: CampaignRow;
  campaign: CampaignDetail;
}) {
  const content = contentOf(campaign.template);
  const slot = content && slotsOf(content).find(({ key }) => key === fault?.slot);
  const position = campaign.file?.columns.indexOf(fault?.column ?? '') ?? -1;
  const value = cells[position] ?? '';
  return (
    <Table.Tr>
      <Table.Td className="tabular">{row_number}</Table.Td>
      <Table.Td>{fault?.column ?? (slot ? slotLabel(slot, content) : texts.message)}</Table.Td>
      <Table.Td className={classes.cell} dir="auto">
        {value.slice(0, SHOWN)}
        {value.length > SHOWN && '…'}
        {value === '' && position >= 0 && (
          <Text span c="dimmed" fs="italic" size="sm">
            {texts.empty}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{fault?.message}</Table.Td>
    </Table.Tr>
  );
}
