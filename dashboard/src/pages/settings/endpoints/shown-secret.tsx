import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CopyText } from '../../../components/copy-button';
import { strings } from '../../../strings';

const texts = strings.settings.endpoints;

/** A secret, which can be read only here. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
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
  );
}

/** For a dialog that closes only by the button of {@link ShownSecret}. */
export const heldOpen = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };
