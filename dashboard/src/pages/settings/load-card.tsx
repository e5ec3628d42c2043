import { Alert, Button, Card, Group, Loader, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toFault } from '../../api/fault';
import { upload } from '../../api/upload';
import { FileDrop } from '../../components/file-drop';
import { strings } from '../../strings';
import { CardDiff } from './card-diff';
import { ConfirmCard } from './confirm-card';
import classes from './settings.module.css';
import type { CardComparison } from './types';

const texts = strings.settings.rateCard;

/** Takes a file, shows what it changes, and loads it when that is confirmed. */
export function LoadCard({ onDone }: { onDone: () => void }) {
  const [csv, setCsv] = useState('');
  const compare = useMutation<CardComparison, Error, File>({
    mutationFn: async (file) => {
      setCsv(await file.text());
      return upload<CardComparison>('uploads/rate-card', file, { query: { file_name: file.name } });
    },
  });
  return (
    <Stack>
      <FileDrop label={texts.file} hint={texts.dropHint} onFile={(file) => compare.mutate(file)} />
      <div role="status">
        {compare.isPending && (
          <Text c="dimmed">
            <Loader size={14} aria-hidden /> {texts.reading}
          </Text>
        )}
      </div>
      {compare.error && <Faults error={compare.error} />}
      {compare.data && (
        <>
          <CardDiff comparison={compare.data} />
          <ConfirmCard csv={csv} onDone={onDone} />
        </>
      )}
      <Group>
        <Button variant="default" onClick={onDone}>
          {strings.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}

/** The faults of the file, line by line. */
function Faults({ error }: { error: Error }) {
  const fault = toFault(error);
  const lines = fault.details.filter(({ line }) => typeof line === 'number');
  return (
    <>
      <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} title={texts.faultsTitle}>
        {fault.message}
      </Alert>
      {lines.length > 0 && (
        <Card withBorder padding={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={80}>{texts.line}</Table.Th>
                <Table.Th>{texts.fault}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map(({ line, message }) => (
                <Table.Tr key={`${String(line)} ${message}`}>
                  <Table.Td className="tabular">{String(line)}</Table.Td>
                  <Table.Td className={classes.details ?? ''}>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Card>
      )}
    </>
  );
}
