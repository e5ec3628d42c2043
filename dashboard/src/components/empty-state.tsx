import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: TablerIcon;
  title: string;
  description?: ReactNode;
  /** A button or link for the next step. */
  action?: ReactNode;
}

/** Says that a list is empty, and what to do next. */
export function EmptyState({ icon: Icon, title, description, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <ThemeIcon size={52} radius="xl" variant="light">
        <Icon size={26} stroke={1.5} aria-hidden />
      </ThemeIcon>
      <Text fw={600} maw={480}>
        {title}
      </Text>
      {description && (
        <Text c="dimmed" size="sm" maw={480} component="div">
          {description}
        </Text>
      )}
      {action}
    </Stack>
  );
}
