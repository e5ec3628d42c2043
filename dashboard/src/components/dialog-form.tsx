import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { DialogActions } from './dialog-actions';

interface DialogFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  /** The label of the button that submits it. */
  submit: string;
  isBusy: boolean;
  /** The fields. */
  children: ReactNode;
}

/** The form of a dialog. The page and the service check it, not the browser. */
export function DialogForm({ onSubmit, onCancel, submit, isBusy, children }: DialogFormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {children}
        <DialogActions onCancel={onCancel}>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
