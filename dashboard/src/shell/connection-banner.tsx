import { Alert, Loader } from '@mantine/core';
import { useIsConnected } from '../api/connection';
import { strings } from '../strings';
import classes from './connection-banner.module.css';

/** Says that the service cannot be reached, and goes away by itself when it can. */
export function ConnectionBanner() {
  const isConnected = useIsConnected();
  return (
    <div role="status" className={isConnected ? undefined : classes.banner}>
      {!isConnected && (
        <Alert
          variant="light"
          color="gray"
          py="xs"
          icon={<Loader size={16} color="gray" aria-hidden />}
          title={strings.shell.unreachable}
        />
      )}
    </div>
  );
}
