import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings';

interface SectionProps {
  title: string;
  isOptional?: boolean;
  children: ReactNode;
}

/** A titled part of a form. */
export function Section({ title, isOptional = false, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} radius="lg" aria-label={title}>
      <Group gap="xs" mb="md" align="baseline">
        <Title order={2}>{title}</Title>
        {isOptional && (
          <Text size="sm" c="dimmed">
            {strings.common.optional}
          </Text>
        )}
      </Group>
      <Stack gap="md">{children}</Stack>
    </Paper>
  );
}
