import { useState } from 'react';
import { useGet } from '../../../api/queries';
import { PageHeader } from '../../../components/page-header';
import { QueryState } from '../../../components/query-state';
import { strings } from '../../../strings';
import type { SecondFactor, Setup } from '../types';
import { ConfirmStep } from './confirm-step';
import { PasswordStep } from './password-step';
import { RecoveryCodes } from './recovery-codes';
import { TurnedOn } from './turned-on';

const texts = strings.settings.secondFactor;

/** The user's own second factor: sets it up in three steps, changes it or turns it off. */
export default function SecondFactorPage() {
  const state = useGet<SecondFactor>('second-factor');
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  const showCodes = (fresh: string[]) => {
    setSetup(null);
    setCodes(fresh);
  };
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <QueryState query={state}>
        {({ turned_on_at, recovery_codes_left }) => {
          if (codes) return <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />;
          if (turned_on_at !== null)
            return <TurnedOn since={turned_on_at} codesLeft={recovery_codes_left} onRenewed={showCodes} />;
          if (setup)
            return <ConfirmStep setup={setup} onCancel={() => setSetup(null)} onTurnedOn={showCodes} />;
          return <PasswordStep onBegun={setSetup} />;
        }}
      </QueryState>
    </>
  );
}
