import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { strings } from '../strings';
import { toFault } from './fault';

export function notifyDone(message: string): void {
  notifications.show({
    message,
    color: 'brand',
    icon: <IconCheck size={18} aria-hidden />,
    closeButtonProps: { 'aria-label': strings.common.close },
  });
}

/** Shows a fault until the user closes it, so that nobody misses it. */
export function notifyFault(error: unknown, title: string = strings.common.failed): void {
  const fault = toFault(error);
  notifications.show({
    id: `${title}:${fault.code}:${fault.message}`,
    title,
    message: fault.requestId
      ? `${fault.message} ${strings.common.requestId(fault.requestId)}`
      : fault.message,
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: false,
    closeButtonProps: { 'aria-label': strings.common.close },
  });
}
