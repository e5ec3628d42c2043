import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { strings } from '../../strings';

const texts = strings.send;

/** Asks the user what to do when an earlier try was accepted with other content than the form has now. */
export function EarlierSend({ onSendAnother }: { onSendAnother: () => void }) {
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={texts.earlierTitle}>
      {texts.earlierText}
      <Group gap="xs" mt="sm">
        <Button component={Link} to="/messages" size="xs" variant="default">
          {texts.earlierLook}
        </Button>
        <Button size="xs" variant="default" onClick={onSendAnother}>
          {texts.earlierSend}
        </Button>
      </Group>
    </Alert>
  );
}
