import { TextInput, type TextInputProps } from '@mantine/core';
import type { RefAttributes } from 'react';
import { strings } from '../strings';

/** An input for a code of the user's app, or for a recovery code. */
export function CodeInput(props: TextInputProps & RefAttributes<HTMLInputElement>) {
  return (
    <TextInput
      label={strings.login.code}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      dir="ltr"
      {...props}
    />
  );
}
