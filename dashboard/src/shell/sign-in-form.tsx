import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { toFault } from '../api/fault';
import { signIn } from '../api/session';
import { strings } from '../strings';

interface SignInFormProps {
  /** Given when it must be the same user as before. */
  email?: string;
  submitLabel: string;
}

/** Email and password; says what was wrong and keeps what was typed. */
export function SignInForm({ email, submitLabel }: SignInFormProps) {
  const { login } = strings;
  const form = useForm({
    initialValues: { email: email ?? '', password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? login.emailMissing : null),
      password: (value) => (value === '' ? login.passwordMissing : null),
    },
  });
  const attempt = useMutation({
    mutationFn: (values: typeof form.values) => signIn(values.email.trim(), values.password),
  });

  return (
    <form onSubmit={form.onSubmit((values) => attempt.mutate(values))} noValidate>
      <Stack>
        {attempt.error && (
          <Alert color="red" role="alert">
            {messageOf(attempt.error)}
          </Alert>
        )}
        <TextInput
          label={login.email}
          type="email"
          autoComplete="username"
          readOnly={email !== undefined}
          data-autofocus={email === undefined || undefined}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={login.password}
          autoComplete="current-password"
          data-autofocus={email !== undefined || undefined}
          visibilityToggleButtonProps={{ 'aria-label': login.showPassword }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={attempt.isPending} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

function messageOf(error: Error): string {
  const fault = toFault(error);
  const { login } = strings;
  if (fault.status === 401) return login.wrong;
  if (fault.status === 429) {
    return fault.retryAfter === undefined ? login.throttledSoon : login.throttled(fault.retryAfter);
  }
  return fault.isUnreachable ? login.unreachable : fault.message;
}
