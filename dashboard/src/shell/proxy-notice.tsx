import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan, useConnection } from '../api/session';
import { strings } from '../strings';
import { proxyFault } from './proxy-fault';

const texts = strings.shell.proxy;

/** Tells owners what to set when a proxy in front of the service does not fit the configuration. */
export function ProxyNotice() {
  const [isClosed, setClosed] = useState(false);
  const isOwner = useCan('owner');
  const fault = proxyFault(useConnection(), window.location.protocol);
  if (isClosed || !isOwner || fault === null) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      title={texts.titles[fault]}
      role="status"
      mb="md"
      withCloseButton
      closeButtonLabel={strings.common.close}
      onClose={() => setClosed(true)}
    >
      {texts.hints[fault]}
    </Alert>
  );
}
