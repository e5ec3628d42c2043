import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect } from 'react';
import { notifyFault } from '../api/notify';
import { strings } from '../strings';

interface CopyProps {
  value: string;
  /** What is copied, as in "Copy API ID". */
  label: string;
}

/** An icon that copies a value and says that it did. */
export function CopyButton({ value, label }: CopyProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2_000 });
  const { components } = strings;
  useEffect(() => {
    if (error) notifyFault(new Error(components.copyFailed));
  }, [error, components.copyFailed]);

  return (
    <Tooltip label={copied ? components.copied : components.copy(label)}>
      <ActionIcon
        variant="subtle"
        color={copied ? 'brand' : 'gray'}
        aria-label={copied ? components.copied : components.copy(label)}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A value to read and to copy: an id, a key, an address. Always left to right. */
export function CopyText({ value, label }: CopyProps) {
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Code>
      <CopyButton value={value} label={label} />
    </Group>
  );
}
