import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconKey,
  IconList,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client';
import { notifyDone, notifyFault } from '../../../api/notify';
import { useWrite } from '../../../api/queries';
import { ConfirmDialog } from '../../../components/confirm';
import { strings } from '../../../strings';
import { DeliveriesDialog } from './deliveries-dialog';
import { NewSecretDialog } from './new-secret-dialog';
import type { Endpoint, EndpointTest } from './types';

const texts = strings.settings.endpoints;
const LIST = 'webhook-endpoints';

/** The menu of what can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [open, setOpen] = useState<'deliveries' | 'secret' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { url, enabled } = endpoint;
  const path = `${LIST}/${endpoint.webhook_endpoint_id}`;
  const test = useWrite(() => api.post<EndpointTest>(`${path}/test`), {
    onSuccess: ({ error, duration_ms }) =>
      error === null
        ? notifyDone(texts.testDone(duration_ms))
        : notifyFault(new Error(texts.testFailed(error))),
  });
  const enable = useWrite((on: boolean) => api.patch(path, { enabled: on }), { refresh: [LIST] });
  const remove = useWrite(() => api.delete(path), {
    refresh: [LIST],
    notify: false,
    onSuccess: () => notifyDone(texts.removed),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" loading={test.isPending} aria-label={texts.actions(url)}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={() => test.mutate()}>
            {texts.test}
          </Menu.Item>
          <Menu.Item leftSection={<IconList size={16} aria-hidden />} onClick={() => setOpen('deliveries')}>
            {texts.deliveries}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setOpen('secret')}>
            {texts.rotate}
          </Menu.Item>
          <Menu.Item
            leftSection={
              enabled ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />
            }
            onClick={() => enable.mutate(!enabled)}
          >
            {enabled ? texts.disable : texts.enable}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            color="red"
            onClick={() => setOpen('remove')}
          >
            {texts.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeliveriesDialog path={path} url={url} opened={open === 'deliveries'} onClose={close} />
      <NewSecretDialog path={path} opened={open === 'secret'} onClose={close} />
      <ConfirmDialog
        opened={open === 'remove'}
        onClose={close}
        title={texts.removeTitle}
        message={texts.removeText(url)}
        confirm={texts.remove}
        danger
        onConfirm={() => remove.mutateAsync()}
      />
    </>
  );
}
