import { Button, Group, Loader, Modal, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Query } from '../api/client';
import { type ExportProgress, receiveExport, saveFile } from '../api/export-file';
import { ApiFault } from '../api/fault';
import { notifyDone, notifyFault } from '../api/notify';
import { formatBytes, formatNumber } from '../format';
import { strings } from '../strings';

const texts = strings.components.export;
const NOTHING: ExportProgress = { rows: 0, bytes: 0 };

interface ExportButtonProps {
  /** The path of the endpoint that answers with CSV. */
  path: string;
  query?: Query;
  label: string;
}

/** Exports the rows of an endpoint as a file, with its progress and a way to stop it. */
export function ExportButton({ path, query, label }: ExportButtonProps) {
  const [progress, setProgress] = useState(NOTHING);
  const stopper = useRef<AbortController>(null);
  const run = useMutation({
    mutationFn: async () => {
      setProgress(NOTHING);
      const controller = new AbortController();
      stopper.current = controller;
      let received = NOTHING;
      try {
        return await receiveExport(path, query, controller.signal, (now) => setProgress((received = now)));
      } catch (error) {
        if (controller.signal.aborted) return null;
        if (error instanceof ApiFault) throw error;
        throw new ApiFault(0, 'EXPORT_BROKEN', texts.broken(formatNumber(received.rows)));
      }
    },
    onSuccess: (exported) => {
      if (!exported) return;
      saveFile(exported.file, exported.name);
      notifyDone(texts.done(formatNumber(exported.rows)));
    },
    onError: (error) => notifyFault(error),
  });
  const stop = () => stopper.current?.abort();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        {label}
      </Button>
      <Modal
        opened={run.isPending}
        onClose={stop}
        title={texts.title}
        centered
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': texts.stop }}
      >
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text size="sm" className="tabular">
            {texts.progress(formatNumber(progress.rows), formatBytes(progress.bytes))}
          </Text>
        </Group>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={stop}>
            {texts.stop}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
