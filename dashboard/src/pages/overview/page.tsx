import { Alert, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconChartBar, IconSend, IconTemplate } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useGet } from '../../api/queries';
import { useCan } from '../../api/session';
import { AccountAlerts } from '../../components/account-alerts';
import { EmptyState } from '../../components/empty-state';
import { LoadingState } from '../../components/loading-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { browserZone } from '../../components/zone-picker';
import { formatClock } from '../../format';
import { lazyPart } from '../../lazy-part';
import { strings } from '../../strings';
import { QueueCard } from './queue-card';
import { TemplateFiguresTable } from './template-figures';
import { Totals } from './totals';
import type { Figures, PeriodName } from './types';

const texts = strings.overview;

/** Milliseconds after which the figures are read again; each read counts them. */
const RENEWAL = 15_000;

/** The charts are most of this page's code, and are loaded last. */
const MessageChart = lazyPart('message-chart', () => import('./message-chart'));
const CostChart = lazyPart('cost-chart', () => import('./cost-chart'));

/** The overview: messages with their status, cost, templates, and what waits. */
export default function OverviewPage() {
  const [period, setPeriod] = usePeriod();
  const figures = useGet<Figures>(
    'overview',
    { period, zone: browserZone() },
    { refetchInterval: RENEWAL, keepPrevious: true },
  );
  const asOf = figures.data?.as_of;
  return (
    <>
      <PageHeader
        title={texts.title}
        description={asOf && texts.asOf(formatClock(asOf))}
        actions={
          <SegmentedControl
            aria-label={texts.period}
            value={period}
            data={Object.entries(texts.periods).map(([value, label]) => ({ value, label }))}
            onChange={(value) => setPeriod(value as PeriodName)}
          />
        }
      />
      <Stack gap="lg">
        <AccountAlerts />
        <QueueCard />
        <QueryState query={figures}>{(data) => <FiguresView figures={data} period={period} />}</QueryState>
      </Stack>
    </>
  );
}

function FiguresView({ figures, period }: { figures: Figures; period: PeriodName }) {
  if (!figures.has_messages) return <NothingYet />;
  const isQuiet = figures.totals.accepted === 0;
  return (
    <>
      {!figures.is_complete && <Alert color="blue">{texts.incomplete}</Alert>}
      <Totals totals={figures.totals} previous={figures.previous} />
      {isQuiet && period !== '90d' ? (
        <EmptyState icon={IconChartBar} title={texts.quietTitle} description={texts.quietText} />
      ) : (
        <Suspense fallback={<LoadingState rows={6} />}>
          <MessageChart figures={figures} />
          <TemplateFiguresTable templates={figures.templates} />
          <CostChart figures={figures} />
        </Suspense>
      )}
    </>
  );
}

function NothingYet() {
  const maySend = useCan('editor');
  return (
    <EmptyState
      icon={IconChartBar}
      title={texts.noneTitle}
      description={maySend ? texts.noneText : texts.noneReadOnly}
      action={
        <Group justify="center">
          {maySend && (
            <Button component={Link} to="/send" leftSection={<IconSend size={16} aria-hidden />}>
              {texts.sendFirst}
            </Button>
          )}
          <Button
            component={Link}
            to="/templates"
            variant="default"
            leftSection={<IconTemplate size={16} aria-hidden />}
          >
            {texts.seeTemplates}
          </Button>
        </Group>
      }
    />
  );
}

/** The period is in the address, so that it can be shared and survives a reload. */
function usePeriod(): [PeriodName, (period: PeriodName) => void] {
  const [params, setParams] = useSearchParams();
  const given = params.get('period') ?? '';
  const period = Object.hasOwn(texts.periods, given) ? (given as PeriodName) : '7d';
  return [period, (next) => setParams({ period: next }, { replace: true })];
}
