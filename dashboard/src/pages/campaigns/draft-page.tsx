import { Alert } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Can } from '../../components/can';
import { ConfirmButton } from '../../components/confirm';
import { PageHeader } from '../../components/page-header';
import { strings } from '../../strings';
import { DraftSteps, StepHeading } from './draft-steps';
import { CampaignStatusBadge } from './status-badge';
import { StepCheck } from './step-check';
import { StepColumns } from './step-columns';
import { StepFile } from './step-file';
import { StepMessage } from './step-message';
import { StepStart } from './step-start';
import type { CampaignDetail } from './types';
import { useDraft } from './use-draft';

const texts = strings.campaigns;

const [MESSAGE, FILE, COLUMNS, CHECK, START] = [0, 1, 2, 3, 4] as const;
const HEADINGS = [
  texts.message.heading,
  texts.file.heading,
  texts.mapping.heading,
  texts.check.heading,
  texts.start.heading,
];

/** The furthest step of the draft, by what is saved of it. */
function reachedStep({ file, mapping, verdict }: CampaignDetail): number {
  if (!file) return FILE;
  if (Object.keys(mapping).length === 0) return COLUMNS;
  return verdict && verdict.good > 0 ? START : CHECK;
}

/** Prepares a campaign step by step. Each step is saved, so that the user can leave and come back. */
export function DraftPage({ campaign }: { campaign: CampaignDetail }) {
  const reached = reachedStep(campaign);
  const [chosen, setStep] = useState(Math.min(reached, CHECK));
  const [leavesOut, setLeavesOut] = useState(false);
  const save = useDraft(campaign);
  const step = Math.min(chosen, reached);
  const isOpen = (campaign.verdict?.bad ?? 0) === 0 || leavesOut;
  return (
    <>
      <PageHeader
        title={campaign.name}
        back={{ to: '/campaigns', label: texts.back }}
        badges={<CampaignStatusBadge status={campaign.status} />}
        actions={<DeleteButton id={campaign.campaign_id} />}
      />
      <DraftSteps active={step} reached={isOpen ? reached : Math.min(reached, CHECK)} onSelect={setStep} />
      <StepHeading step={step} text={HEADINGS[step] ?? ''} />
      {!campaign.template.components && (
        <Alert color="red" role="alert" mb="md">
          {texts.message.noTemplates}
        </Alert>
      )}
      {step === MESSAGE && (
        <StepMessage initial={campaign} onDone={async (choice) => (await save(choice)) && setStep(FILE)} />
      )}
      {step === FILE && <StepFile campaign={campaign} onDone={() => setStep(COLUMNS)} />}
      {step === COLUMNS && <StepColumns campaign={campaign} save={save} onDone={() => setStep(CHECK)} />}
      {step === CHECK && (
        <StepCheck
          campaign={campaign}
          leavesOut={leavesOut}
          onLeaveOut={setLeavesOut}
          onCorrect={() => setStep(FILE)}
          onDone={() => setStep(START)}
        />
      )}
      {step === START && campaign.verdict && (
        <StepStart campaign={campaign} verdict={campaign.verdict} leavesOut={leavesOut} save={save} />
      )}
    </>
  );
}

function DeleteButton({ id }: { id: number }) {
  const navigate = useNavigate();
  const remove = useWrite(() => api.delete(`campaigns/${id}`), {
    notify: false,
    onSuccess: () => {
      notifyDone(texts.removed);
      return navigate('/campaigns');
    },
  });
  return (
    <Can role="editor" hide>
      <ConfirmButton
        title={texts.removeTitle}
        message={texts.removeText}
        confirm={texts.remove}
        danger
        onConfirm={() => remove.mutateAsync()}
        leftSection={<IconTrash size={16} aria-hidden />}
      >
        {texts.remove}
      </ConfirmButton>
    </Can>
  );
}
