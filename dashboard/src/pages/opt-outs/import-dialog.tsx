import { Alert, List, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKey } from '../../api/queries';
import { useUpload } from '../../api/use-upload';
import { FileDrop } from '../../components/file-drop';
import { UploadProgress } from '../../components/upload-progress';
import { strings } from '../../strings';
import type { ImportedOptOuts } from './types';

const texts = strings.optOuts;

/** Takes opt-outs from a CSV file, and tells which of its lines have faults. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { run, fault, setFault, start } = useUpload<ImportedOptOuts>('uploads/opt-outs');
  const [result, setResult] = useState<ImportedOptOuts | null>(null);
  const queryClient = useQueryClient();
  const take = (file: File) => {
    setResult(null);
    void start(file, {}, setResult).finally(() =>
      queryClient.invalidateQueries({ queryKey: queryKey('opt-outs') }),
    );
  };
  const close = () => {
    setResult(null);
    setFault(null);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={texts.importTitle} centered>
      <Stack>
        {run ? (
          <UploadProgress run={run} />
        ) : (
          <FileDrop label={texts.importTitle} hint={texts.importHint} onFile={take} />
        )}
        {fault && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        {result && <Result result={result} />}
      </Stack>
    </Modal>
  );
}

function Result({ result: { kept, rows, faulty, faults } }: { result: ImportedOptOuts }) {
  return (
    <Alert color={faulty === 0 ? 'brand' : 'yellow'} role="status">
      <Text size="sm">{texts.imported(rows, kept)}</Text>
      {faulty > 0 && <Text size="sm">{texts.importFaults(faulty)}</Text>}
      <List size="sm" mt="xs">
        {faults.slice(0, 20).map(({ line, message }) => (
          <List.Item key={line}>{texts.importFault(line, message)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
