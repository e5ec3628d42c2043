import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toFault } from '../api/fault';
import { signIn } from '../api/session';
import { CodeInput } from '../components/code-input';
import { strings } from '../strings';

const { login } = strings;

interface SignInFormProps {
  /** Given when the user has to be the same as before. */
  email?: string;
  submitLabel: string;
}

/** Asks for email and password, and for a code if the service wants one. Shows faults, and keeps what was typed. */
export function SignInForm({ email, submitLabel }: SignInFormProps) {
  const [needsCode, setNeedsCode] = useState(false);
  const codeInput = useRef<HTMLInputElement>(null);
  const form = useForm({
    initialValues: { email: email ?? '', password: '', code: '' },
    validate: {
      email: (value) => (value.trim() === '' ? login.emailMissing : null),
      password: (value) => (value === '' ? login.passwordMissing : null),
      code: (value) => (needsCode && value.trim() === '' ? login.codeMissing : null),
    },
  });
  const attempt = useMutation({
    mutationFn: (values: typeof form.values) =>
      signIn(values.email.trim(), values.password, needsCode ? values.code.trim() : undefined),
    onError: (error) => setNeedsCode((before) => before || isCodeMissing(error)),
  });
  useEffect(() => {
    if (needsCode) codeInput.current?.focus();
  }, [needsCode]);

  return (
    <form onSubmit={form.onSubmit((values) => attempt.mutate(values))} noValidate>
      <Stack>
        {attempt.error && !isCodeMissing(attempt.error) && (
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
        {needsCode && (
          <CodeInput ref={codeInput} description={login.codeHint} {...form.getInputProps('code')} />
        )}
        <Button type="submit" loading={attempt.isPending} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

/** Whether the password was right, and a code is the next step. */
function isCodeMissing(error: Error): boolean {
  return toFault(error).code === 'SECOND_FACTOR_REQUIRED';
}

function messageOf(error: Error): string {
  const fault = toFault(error);
  if (fault.status === 401)
    return fault.details.some(({ field }) => field === 'code') ? login.wrongCode : login.wrong;
  if (fault.status === 429) {
    return fault.retryAfter === undefined ? login.throttledSoon : login.throttled(fault.retryAfter);
  }
  return fault.isUnreachable ? login.unreachable : fault.message;
}
