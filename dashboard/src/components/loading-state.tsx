import { Skeleton, Stack } from '@mantine/core';
import { strings } from '../strings';

interface LoadingStateProps {
  rows?: number;
  /** What is being loaded, for screen readers. */
  label?: string;
}

/** Placeholder rows while data are loaded. */
export function LoadingState({ rows = 6, label = strings.common.loading }: LoadingStateProps) {
  return (
    <Stack gap="sm" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={40} />
      ))}
    </Stack>
  );
}
