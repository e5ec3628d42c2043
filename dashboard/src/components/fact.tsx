import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  /** Whether the value stands out, as figures do. */
  strong?: boolean;
  children: ReactNode;
}

/** One entry of a description list; its parent has to be a `dl`. */
export function Fact({ name, strong = false, children }: FactProps) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text
        component="dd"
        m={0}
        {...(strong ? { fw: 600, className: 'tabular' } : { size: 'sm' })}
        style={{ overflowWrap: 'anywhere' }}
      >
        {children}
      </Text>
    </div>
  );
}
