import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { sessionQuery } from '../../api/session';
import icon from '../../icon.svg';
import { ConnectionBanner } from '../../shell/connection-banner';
import { targetOf } from '../../shell/login-path';
import { SignInForm } from '../../shell/sign-in-form';
import { strings } from '../../strings';

/** Signs in, and goes on to the page that was asked for. */
export default function LoginPage() {
  const { data: session } = useQuery(sessionQuery);
  const [search] = useSearchParams();
  useDocumentTitle(`${strings.login.title} – ${strings.common.product}`);
  if (session) return <Navigate to={targetOf(search)} replace />;

  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group justify="center" gap="sm">
          <img src={icon} alt="" width={36} height={36} />
          <Text size="xl" fw={650}>
            {strings.common.product}
          </Text>
        </Group>
        <ConnectionBanner />
        <Paper withBorder shadow="sm" p="xl" radius="lg">
          <Title order={1} mb="lg">
            {strings.login.title}
          </Title>
          <SignInForm submitLabel={strings.login.submit} />
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          {strings.login.hint}
        </Text>
      </Stack>
    </Center>
  );
}
