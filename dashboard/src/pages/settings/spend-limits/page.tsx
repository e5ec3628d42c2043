import { IconWallet } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useGet } from '../../../api/queries';
import { EmptyState } from '../../../components/empty-state';
import { QueryState } from '../../../components/query-state';
import { strings } from '../../../strings';
import { OwnersPage } from '../owners-page';
import { LimitDialog } from './limit-dialog';
import { LimitTable } from './limit-table';
import type { SpendLimit, SpendLimits } from './types';

const texts = strings.settings.spendLimits;

/** Milliseconds after which the page reads again what is spent. */
const RENEWED = 5_000;

/** What may be spent, and is. */
export default function SpendLimitsPage() {
  return <OwnersPage texts={texts}>{(creating) => <Limits {...creating} />}</OwnersPage>;
}

interface LimitsProps {
  /** Whether a limit is being added. */
  opened: boolean;
  onClose: () => void;
  create: ReactNode;
}

function Limits({ opened, onClose, create }: LimitsProps) {
  const [changed, setChanged] = useState<SpendLimit | null>(null);
  const query = useGet<SpendLimits>('spend-limits', undefined, { refetchInterval: RENEWED });
  const close = () => {
    setChanged(null);
    onClose();
  };
  return (
    <QueryState query={query}>
      {(data) => (
        <>
          {data.limits.length === 0 ? (
            <EmptyState
              icon={IconWallet}
              title={texts.noneTitle}
              description={texts.noneText}
              action={create}
            />
          ) : (
            <LimitTable rows={data.limits} onChange={setChanged} />
          )}
          {(opened || changed) && <LimitDialog known={data} changed={changed} onClose={close} />}
        </>
      )}
    </QueryState>
  );
}
