import { Tooltip, UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface ExplainedProps extends UnstyledButtonProps {
  /** The explanation, shown on hover, focus and touch. */
  by: string;
  /** What is explained, in words, when the children are an icon. */
  'aria-label'?: string;
  children: ReactNode;
}

/** Text or an icon with a tooltip. It is a button, so that the keyboard can reach the tooltip too. */
export function Explained({ by, children, ...button }: ExplainedProps) {
  return (
    <Tooltip label={by} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton style={{ cursor: 'help' }} {...button}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
