import { Anchor, Modal, Text } from '@mantine/core';
import { useSessionIsGone, useUser } from '../api/session';
import { strings } from '../strings';
import { loginPath } from './login-path';
import { SignInForm } from './sign-in-form';

/** Asks for the password again, over the unchanged page; refused calls are then repeated. */
export function SessionGoneDialog() {
  const isGone = useSessionIsGone();
  const { email } = useUser();
  const { sessionGone } = strings.shell;

  return (
    <Modal
      opened={isGone}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      title={sessionGone.title}
    >
      <Text size="sm" mb="md">
        {sessionGone.message}
      </Text>
      <SignInForm email={email} submitLabel={sessionGone.signIn} />
      <Text ta="center" size="sm" mt="md">
        <Anchor href={`${import.meta.env.BASE_URL}${loginPath().slice(1)}`}>{sessionGone.someoneElse}</Anchor>
      </Text>
    </Modal>
  );
}
