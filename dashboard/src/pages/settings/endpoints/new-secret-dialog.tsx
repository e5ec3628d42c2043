import { Alert, Button, Text } from '@mantine/core';
import { api } from '../../../api/client';
import { useWrite } from '../../../api/queries';
import { DialogActions } from '../../../components/dialog-actions';
import { ShownOnce } from '../../../components/shown-once';
import { strings } from '../../../strings';

const texts = strings.settings.endpoints;

interface NewSecretDialogProps {
  /** Of the endpoint. */
  path: string;
  opened: boolean;
  onClose: () => void;
}

/** Gives an endpoint another secret, and shows it once. */
export function NewSecretDialog({ path, opened, onClose }: NewSecretDialogProps) {
  const rotate = useWrite(() => api.post<{ secret: string }>(`${path}/rotate-secret`), { notify: false });
  const close = () => {
    rotate.reset();
    onClose();
  };
  return (
    <ShownOnce
      opened={opened}
      onClose={close}
      title={texts.rotate}
      secret={rotate.data?.secret}
      texts={texts}
    >
      <Text size="sm">{texts.rotateText}</Text>
      {rotate.error && (
        <Alert color="red" role="alert" mt="md">
          {rotate.error.message}
        </Alert>
      )}
      <DialogActions onCancel={close} mt="lg">
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()} data-autofocus>
          {texts.rotate}
        </Button>
      </DialogActions>
    </ShownOnce>
  );
}
