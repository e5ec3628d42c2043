import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useCan } from '../../api/session';
import { ConfirmButton } from '../../components/confirm';
import { strings } from '../../strings';
import type { MessageDetails } from './types';

const texts = strings.messages.drawer;

/** Cancels a waiting message; not shown for other messages, nor to viewers. */
export function CancelMessage({ message: { message_log_id, status } }: { message: MessageDetails }) {
  const queryClient = useQueryClient();
  const mayCancel = useCan('editor');
  if (!mayCancel || (status !== 'scheduled' && status !== 'queued')) return null;
  const cancel = async () => {
    await api.post(`messages/${message_log_id}/cancel`);
    notifyDone(texts.canceled);
    await queryClient.invalidateQueries({ queryKey: ['messages'] });
  };
  return (
    <ConfirmButton
      title={texts.cancelTitle}
      message={texts.cancelText}
      confirm={texts.cancelConfirm}
      dismiss={texts.cancelDismiss}
      danger
      size="xs"
      onConfirm={cancel}
    >
      {texts.cancel}
    </ConfirmButton>
  );
}
