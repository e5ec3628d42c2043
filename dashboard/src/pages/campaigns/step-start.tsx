import { Alert, Button, Card, Group, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CampaignVerdict } from '../../../../src/campaigns/domain/campaign-status';
import { api } from '../../api/client';
import { toFault } from '../../api/fault';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Can } from '../../components/can';
import { ConfirmDialog } from '../../components/confirm';
import { browserZone, ZonePicker } from '../../components/zone-picker';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { costText, durationText } from './costs';
import type { Campaign, CampaignDetail } from './types';
import type { useDraft } from './use-draft';
import { Warnings } from './warnings';

const texts = strings.campaigns.start;

interface StepStartProps {
  campaign: CampaignDetail;
  verdict: CampaignVerdict;
  leavesOut: boolean;
  save: ReturnType<typeof useDraft>;
}

/** When to send, what it costs, and the button that does it. */
export function StepStart({ campaign, verdict, leavesOut, save }: StepStartProps) {
  const [isLater, setLater] = useState(false);
  const [at, setAt] = useState('');
  const [zone, setZone] = useState<string | null>(browserZone());
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const start = useStart(campaign, leavesOut);
  const faults = fieldFaults(start.error);
  const isMissing = isLater && (at === '' || zone === null);
  const ask = () => {
    setTried(true);
    if (!isMissing) setAsking(true);
  };
  const schedule = isLater && zone ? { scheduled_at: at, timezone: zone } : {};
  const cost = costText(verdict);
  return (
    <Stack maw={640}>
      <Radio.Group
        aria-label={texts.heading}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => setLater(value === 'later')}
      >
        <Group>
          <Radio value="now" label={texts.now} />
          <Radio value="later" label={texts.later} />
        </Group>
      </Radio.Group>
      {isLater && (
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            type="datetime-local"
            label={texts.at}
            required
            value={at}
            onChange={(event) => {
              setAt(event.currentTarget.value);
              start.reset(); // the fault was about another time
            }}
            error={faults['scheduled_at'] ?? (isTried && at === '' && texts.atMissing)}
          />
          <ZonePicker value={zone} onChange={setZone} error={faults['timezone']} />
        </Group>
      )}
      {campaign.template.category === 'MARKETING' && (
        <Switch
          label={texts.autoRetry}
          description={texts.autoRetryHelp}
          checked={campaign.auto_retry}
          onChange={(event) => void save({ auto_retry: event.currentTarget.checked })}
        />
      )}
      <Warnings warnings={campaign.warnings} />
      <Summary campaign={campaign} verdict={verdict} />
      {start.error && Object.keys(faults).length === 0 && (
        <Alert color="red" role="alert">
          {start.error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Can role="editor">
          <Button size="md" onClick={ask}>
            {isLater ? texts.submitLater(verdict.good) : texts.submit(verdict.good)}
          </Button>
        </Can>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.confirmTitle}
        message={
          isLater
            ? texts.confirmLater(verdict.good, cost, `${at.replace('T', ' ')} (${zone})`)
            : texts.confirmNow(verdict.good, cost)
        }
        confirm={isLater ? texts.confirmSchedule : texts.confirm}
        // A fault is shown at its field, on the step.
        onConfirm={() => start.mutateAsync(schedule).catch(() => undefined)}
      />
    </Stack>
  );
}

function useStart(campaign: CampaignDetail, leavesOut: boolean) {
  const path = `campaigns/${campaign.campaign_id}`;
  return useWrite(
    (schedule: { scheduled_at?: string; timezone?: string }) =>
      api.post<Campaign>(`${path}/start`, {
        revision: campaign.revision,
        leave_out_faulty: leavesOut,
        ...schedule,
      }),
    {
      refresh: ['campaigns'],
      notify: false,
      onSuccess: ({ status }) => notifyDone(status === 'scheduled' ? texts.scheduled : texts.started),
    },
  );
}

/** The faults of the schedule: the first of each field. */
function fieldFaults(error: unknown): Record<string, string> {
  if (!error) return {};
  const fault = toFault(error);
  const known = fault.details.filter(({ field }) => field === 'scheduled_at' || field === 'timezone');
  const words = Object.entries(texts.faults).find(([code]) => code === fault.code)?.[1];
  return Object.fromEntries(known.map(({ field, message }) => [field, words ?? message ?? fault.message]));
}

function Summary({ campaign, verdict }: { campaign: CampaignDetail; verdict: CampaignVerdict }) {
  const { good, bad, opted_out: optedOut = 0 } = verdict;
  const facts: [string, string][] = [
    [texts.recipients, formatNumber(good)],
    ...(bad > 0 ? [[texts.leftOut, formatNumber(bad)] as [string, string]] : []),
    ...(optedOut > 0 ? [[texts.optedOut, formatNumber(optedOut)] as [string, string]] : []),
    [texts.duration, durationText(good / campaign.messages_per_second)],
    [texts.cost, costText(verdict)],
  ];
  return (
    <Card withBorder>
      <Stack gap="xs" component="dl" m={0}>
        {facts.map(([name, value]) => (
          <Group key={name} justify="space-between" gap="xs">
            <Text component="dt" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} fw={600} className="tabular">
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="sm">
        {texts.costNote}
      </Text>
    </Card>
  );
}
