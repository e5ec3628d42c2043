import { Alert, Button, type ButtonProps, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { strings } from '../strings';
import { DialogActions } from './dialog-actions';

interface Question {
  title: string;
  message: ReactNode;
  /** The label of the button that does it. */
  confirm: string;
  /** The label of the button that changes nothing, when "Cancel" would be ambiguous. */
  dismiss?: string;
  /** Whether something is lost by it. */
  danger?: boolean;
  /** Does it. An error is shown in the dialog, where the user can try again. */
  onConfirm: () => Promise<unknown>;
}

interface ConfirmDialogProps extends Question {
  opened: boolean;
  onClose: () => void;
}

export function ConfirmDialog({
  opened,
  onClose,
  title,
  message,
  confirm,
  dismiss = strings.common.cancel,
  danger,
  onConfirm,
}: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <Text size="sm" component="div">
        {message}
      </Text>
      {action.error && (
        <Alert color="red" role="alert" mt="md">
          {action.error.message}
        </Alert>
      )}
      <DialogActions onCancel={close} dismiss={dismiss} mt="lg">
        <Button
          color={danger ? 'red.9' : 'brand'}
          loading={action.isPending}
          onClick={() => action.mutate()}
          data-autofocus={!danger || undefined}
        >
          {confirm}
        </Button>
      </DialogActions>
    </Modal>
  );
}

interface ConfirmButtonProps extends Question, Omit<ButtonProps, 'children'> {
  children: ReactNode;
}

/** A button that asks before it acts. */
export function ConfirmButton({
  title,
  message,
  confirm,
  dismiss,
  danger,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const question = {
    title,
    message,
    confirm,
    onConfirm,
    ...(danger === undefined ? {} : { danger }),
    ...(dismiss === undefined ? {} : { dismiss }),
  };
  return (
    <>
      <Button variant="default" {...button} onClick={open} />
      <ConfirmDialog opened={isOpen} onClose={close} {...question} />
    </>
  );
}
