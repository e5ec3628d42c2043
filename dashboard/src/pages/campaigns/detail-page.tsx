import { IconSpeakerphone } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/fault';
import { useLive } from '../../api/use-live';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { QueryState } from '../../components/query-state';
import { strings } from '../../strings';
import { DraftPage } from './draft-page';
import { StartedPage } from './started-page';
import type { CampaignDetail } from './types';

const texts = strings.campaigns;
const back = { to: '/campaigns', label: texts.back };

/** A campaign: its steps while it is a draft, its progress after that. */
export default function CampaignPage() {
  const { id = '' } = useParams();
  const campaign = useLive<CampaignDetail>(`campaigns/${id}`);
  if (isNotFound(campaign.error) || (!campaign.data && !/^\d+$/.test(id))) {
    return (
      <>
        <PageHeader title={texts.notFound} back={back} />
        <EmptyState icon={IconSpeakerphone} title={texts.notFound} />
      </>
    );
  }
  return (
    <>
      {!campaign.data && <PageHeader title={texts.title} back={back} />}
      <QueryState query={campaign}>
        {(data) =>
          data.status === 'draft' ? (
            <DraftPage key={data.campaign_id} campaign={data} />
          ) : (
            <StartedPage campaign={data} />
          )
        }
      </QueryState>
    </>
  );
}
