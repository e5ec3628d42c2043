import { Button, Group, type MantineSpacing } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings';

interface DialogActionsProps {
  onCancel: () => void;
  /** The label of the button that changes nothing, when "Cancel" would be ambiguous. */
  dismiss?: string;
  /** Whether it is too late to cancel. */
  isHeld?: boolean;
  /** The button that does it. */
  children: ReactNode;
  mt?: MantineSpacing;
}

/** The last row of a dialog, with the buttons that cancel it or do it. */
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
