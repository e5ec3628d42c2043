import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { toFault } from '../api/fault';
import { strings } from '../strings';

interface ErrorStateProps {
  fault: unknown;
  onRetry?: (() => void) | undefined;
}

/** Shows a fault in place of data that could not be loaded. */
export function ErrorState({ fault: error, onRetry }: ErrorStateProps) {
  const fault = toFault(error);
  const { common, components } = strings;
  return (
    <Alert
      color="red"
      role="alert"
      title={components.faultTitle}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm">{fault.message}</Text>
      {fault.requestId && (
        <Text size="xs" mt={4}>
          {common.requestId(fault.requestId)}
        </Text>
      )}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          {common.retry}
        </Button>
      )}
    </Alert>
  );
}
