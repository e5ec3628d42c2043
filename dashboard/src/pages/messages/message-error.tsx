import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { strings } from '../../strings';
import { messageErrorText } from '../../strings/message-errors';
import type { ErrorClass, MessageFault } from './types';

const texts = strings.messages.drawer;

interface MessageErrorProps {
  error: MessageFault;
  errorClass: ErrorClass | null;
}

/** Why a message failed, first in plain words, then in the provider's. */
export function MessageError({ error, errorClass }: MessageErrorProps) {
  const { meaning, advice } = messageErrorText(error.code, errorClass);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={meaning}>
      <Text size="sm">
        <Text span fw={600} size="sm">
          {texts.advice}:{' '}
        </Text>
        {advice}
      </Text>
      <Text size="xs" mt="xs">
        {error.code !== null && `${texts.code(error.code)}: `}
        {error.title}
        {error.details && error.details !== error.title && ` – ${error.details}`}
      </Text>
    </Alert>
  );
}
