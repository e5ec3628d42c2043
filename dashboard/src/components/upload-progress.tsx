import { ActionIcon, Group, Progress, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { UploadRun } from '../api/use-upload';
import { strings } from '../strings';

const texts = strings.components.upload;

/** The progress of an upload, and a way to stop it. */
export function UploadProgress({ run: { name, fraction, cancel } }: { run: UploadRun }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate mb={4}>
          {texts.uploading(name)}
        </Text>
        <Progress value={fraction * 100} aria-label={texts.uploading(name)} />
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={texts.cancel} onClick={cancel}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
