import { useNavigate } from 'react-router';
import { api } from '../../api/client';
import { useWrite } from '../../api/queries';
import { PageHeader } from '../../components/page-header';
import { strings } from '../../strings';
import { DraftSteps, StepHeading } from './draft-steps';
import { StepMessage } from './step-message';
import type { Campaign, MessageChoice } from './types';

const texts = strings.campaigns;

/** The first step. It makes a draft, which has a page of its own that survives a reload. */
export default function NewCampaignPage() {
  const navigate = useNavigate();
  const create = useWrite((choice: MessageChoice) => api.post<Campaign>('campaigns', choice), {
    refresh: ['campaigns'],
    onSuccess: ({ campaign_id: id }) => navigate(`/campaigns/${id}`, { replace: true }),
  });
  return (
    <>
      <PageHeader title={texts.create} back={{ to: '/campaigns', label: texts.back }} />
      <DraftSteps active={0} reached={0} onSelect={() => undefined} />
      <StepHeading step={0} text={texts.message.heading} />
      <StepMessage onDone={(choice) => create.mutateAsync(choice).catch(() => undefined)} />
    </>
  );
}
