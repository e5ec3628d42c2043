import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FactProps {
  name: string;
  /** For figures, which are what one looks for. */
  strong?: boolean;
  children: ReactNode;
}

/** One entry of a description list: belongs into a `dl`. */
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
