import { Alert, Button, Card, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CopyButton } from '../../../components/copy-button';
import { strings } from '../../../strings';

const texts = strings.settings.secondFactor;

interface RecoveryCodesProps {
  codes: string[];
  onClose: () => void;
}

/** Shows new recovery codes, only once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Card withBorder maw={520} padding="lg">
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={texts.codesTitle} role="status">
          {texts.codesText}
        </Alert>
        <SimpleGrid
          component="ul"
          cols={{ base: 1, xs: 2 }}
          spacing="xs"
          m={0}
          p={0}
          aria-label={texts.codes}
        >
          {codes.map((code) => (
            <li key={code} style={{ listStyle: 'none' }}>
              <Code dir="ltr" fz="sm">
                {code}
              </Code>
            </li>
          ))}
        </SimpleGrid>
        <Group justify="space-between">
          <Group gap={4}>
            <CopyButton value={codes.join('\n')} label={texts.codes} />
            <Text size="sm">{texts.copyAll}</Text>
          </Group>
          <Button onClick={onClose}>{texts.codesKept}</Button>
        </Group>
      </Stack>
    </Card>
  );
}
