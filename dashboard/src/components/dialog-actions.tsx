import { Button, Group, type MantineSpacing } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings';

interface DialogActionsProps {
  onCancel: () => void;
  /** On the button that leaves all as it is, where "Cancel" would be ambiguous. */
  dismiss?: string;
  /** While it is too late to leave all as it is. */
  isHeld?: boolean;
  /** The button that does it. */
  children: ReactNode;
  mt?: MantineSpacing;
}

/** The last row of a dialog: leave all as it is, or do it. */
export function DialogActions({
  onCancel,
  dismiss = strings.common.cancel,
  isHeld = false,
  children,
  mt = 0,
}: DialogActionsProps) {
  return (
    <Group justify="flex-end" mt={mt}>
      <Button variant="default" onClick={onCancel} disabled={isHeld}>
        {dismiss}
      </Button>
      {children}
    </Group>
  );
}
