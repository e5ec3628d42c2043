import { Modal, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { submitTo } from '../../../api/form-faults';
import { useWrite } from '../../../api/queries';
import { CodeInput } from '../../../components/code-input';
import { DialogForm } from '../../../components/dialog-form';
import { strings } from '../../../strings';

const texts = strings.settings.secondFactor;
const passwordTexts = strings.settings.password;

interface Proof {
  password: string;
  code: string;
}

interface ProofDialogProps<Result> {
  opened: boolean;
  title: string;
  text: string;
  submit: string;
  call: (proof: Proof) => Promise<Result>;
  onDone: (result: Result) => void;
  onClose: () => void;
}

/** Asks for password and code before the second factor is changed. */
export function ProofDialog<Result>({
  opened,
  title,
  text,
  submit,
  call,
  onDone,
  onClose,
}: ProofDialogProps<Result>) {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? passwordTexts.currentMissing : null),
      code: (value) => (value.trim() === '' ? texts.codeMissing : null),
    },
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const change = useWrite(call, {
    refresh: ['second-factor', 'users'],
    notify: false,
    onSuccess: (result) => {
      form.reset();
      onDone(result);
    },
  });
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <DialogForm
        onSubmit={submitTo(form, change)}
        onCancel={close}
        submit={submit}
        isBusy={change.isPending}
      >
        <Text size="sm">{text}</Text>
        <PasswordInput
          label={passwordTexts.current}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': passwordTexts.show }}
          {...form.getInputProps('password')}
        />
        <CodeInput description={strings.login.codeHint} {...form.getInputProps('code')} />
      </DialogForm>
    </Modal>
  );
}
