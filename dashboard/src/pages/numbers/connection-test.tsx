import { Alert, Button, Group } from '@mantine/core';
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { strings } from '../../strings';

const texts = strings.numbers;

interface ConnectionTestProps {
  test: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;
  /** What the provider answered, in words. */
  result: ReactNode;
  isSaving: boolean;
}

/** The end of a form: asks the provider first, then saves, which asks it again. */
export function ConnectionTest({ test, result, isSaving }: ConnectionTestProps) {
  return (
    <>
      {test.isSuccess && (
        <Alert color="green" role="status" icon={<IconPlugConnected aria-hidden />}>
          {result}
        </Alert>
      )}
      {test.error && (
        <Alert color="red" role="alert" icon={<IconPlugConnectedX aria-hidden />}>
          {test.error.message}
        </Alert>
      )}
      <Group justify="flex-end" mt="xs">
        <Button variant="default" onClick={() => test.mutate()} loading={test.isPending}>
          {texts.test.button}
        </Button>
        <Button type="submit" loading={isSaving}>
          {texts.save}
        </Button>
      </Group>
    </>
  );
}
