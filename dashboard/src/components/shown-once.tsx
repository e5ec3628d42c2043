import type { ReactNode } from 'react';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CopyText } from './copy-button';

interface ShownOnceProps {
  opened: boolean;
  onClose: () => void;
  /** Of the dialog while it has no secret to show. */
  title: string;
  /** What is shown once; undefined as long as there is none. */
  secret: string | undefined;
  texts: { shownTitle: string; shownText: string; secret: string; close: string };
  /** How the secret comes about. */
  children: ReactNode;
}

/** A dialog that makes a secret and shows it only once: then it closes only by its button, which says that. */
export function ShownOnce({ opened, onClose, title, secret, texts, children }: ShownOnceProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={secret ? texts.shownTitle : title}
      centered
      {...(secret && { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false })}
    >
      {secret ? (
        <Stack>
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
            {texts.shownText}
          </Alert>
          <CopyText value={secret} label={texts.secret} />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {texts.close}
            </Button>
          </Group>
        </Stack>
      ) : (
        children
      )}
    </Modal>
  );
}
