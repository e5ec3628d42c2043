import { Button } from '@mantine/core';
import { IconMessages, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Can } from '../../components/can';
import { ConfirmButton } from '../../components/confirm';
import { strings } from '../../strings';
import type { Campaign, CampaignDetail } from './types';

const texts = strings.campaigns.detail;

type Action = 'pause' | 'resume' | 'cancel';
const DONE: Record<Action, string> = { pause: texts.paused, resume: texts.resumed, cancel: texts.canceled };

/** The buttons for a campaign that was started. */
export function CampaignActions({ campaign }: { campaign: CampaignDetail }) {
  const { campaign_id: id, status, template } = campaign;
  const act = useWrite((action: Action) => api.post<Campaign>(`campaigns/${id}/${action}`), {
    refresh: ['campaigns'],
    notify: false,
    onSuccess: (_campaign, action) => notifyDone(DONE[action]),
  });
  const canPause = status === 'running' || status === 'scheduled';
  return (
    <>
      <Button
        component={Link}
        to={`/messages?template=${encodeURIComponent(template.name)}`}
        variant="default"
        leftSection={<IconMessages size={16} aria-hidden />}
      >
        {texts.sentPage}
      </Button>
      {canPause && (
        <Can role="editor" hide>
          <ConfirmButton
            title={texts.pauseTitle}
            message={texts.pauseText}
            confirm={texts.pause}
            onConfirm={() => act.mutateAsync('pause')}
            leftSection={<IconPlayerPause size={16} aria-hidden />}
          >
            {texts.pause}
          </ConfirmButton>
        </Can>
      )}
      {status === 'paused' && (
        <Can role="editor" hide>
          <Button
            onClick={() => act.mutate('resume')}
            loading={act.isPending}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
          >
            {texts.resume}
          </Button>
        </Can>
      )}
      {(canPause || status === 'paused') && (
        <Can role="editor" hide>
          <ConfirmButton
            title={texts.cancelTitle}
            message={texts.cancelText}
            confirm={texts.cancel}
            danger
            onConfirm={() => act.mutateAsync('cancel')}
            leftSection={<IconX size={16} aria-hidden />}
          >
            {texts.cancel}
          </ConfirmButton>
        </Can>
      )}
    </>
  );
}
