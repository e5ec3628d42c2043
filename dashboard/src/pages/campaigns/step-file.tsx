import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { toFault } from '../../api/fault';
import { queryKey } from '../../api/queries';
import { upload } from '../../api/upload';
import { formatPercent } from '../../format';
import { strings } from '../../strings';
import classes from './campaigns.module.css';
import { sampleFile } from './sample-file';
import { contentOf } from './template-content';
import type { Campaign, CampaignDetail } from './types';

const texts = strings.campaigns.file;

/** The service's limit for a file. */
const MAX_BYTES = 20_000_000;

interface StepFileProps {
  campaign: CampaignDetail;
  onDone: () => void;
}

/** The list of recipients, by drag and drop or choice. */
export function StepFile({ campaign, onDone }: StepFileProps) {
  const { progress, fault, send } = useFileUpload(campaign.campaign_id, onDone);
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    multiple: false,
    noClick: true,
    noKeyboard: true,
    disabled: progress !== null,
    onDrop: ([file]) => file && void send(file),
  });
  const { file } = campaign;
  return (
    <Stack>
      <div
        {...getRootProps({ className: classes.drop, role: undefined })}
        data-over={isDragActive || undefined}
      >
        <input {...getInputProps({ 'aria-label': texts.choose })} />
        <Stack align="center" gap="xs">
          <IconUpload size={32} stroke={1.5} aria-hidden />
          <Text fw={600}>{texts.drop}</Text>
          <Text size="sm" c="dimmed" maw={520}>
            {texts.hint}
          </Text>
          <Button variant={file ? 'default' : 'filled'} onClick={open} disabled={progress !== null}>
            {file ? texts.replace : texts.choose}
          </Button>
          <SampleLink campaign={campaign} />
        </Stack>
      </div>
      {progress !== null && <UploadProgress fraction={progress} />}
      {fault && (
        <Alert
          color="red"
          role="alert"
          title={texts.failedTitle}
          icon={<IconAlertTriangle size={18} aria-hidden />}
        >
          {fault}
        </Alert>
      )}
      {file && progress === null && (
        <Group justify="space-between">
          <Group gap="xs">
            <IconFileSpreadsheet size={20} aria-hidden />
            <Text fw={600}>{file.name}</Text>
            <Text c="dimmed">{texts.rows(file.rows)}</Text>
          </Group>
          <Button onClick={onDone}>{strings.campaigns.steps.next}</Button>
        </Group>
      )}
    </Stack>
  );
}

function UploadProgress({ fraction }: { fraction: number }) {
  const label = fraction < 1 ? texts.uploading(formatPercent(fraction)) : texts.storing;
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {label}
      </Text>
      <Progress value={fraction * 100} animated={fraction === 1} aria-label={label} />
    </div>
  );
}

/** Uploads the list. `fraction` is the part that has been sent, null while nothing is; `fault` is a sentence. */
function useFileUpload(id: number, onDone: () => void) {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const send = async (file: File) => {
    setFault(null);
    if (file.size > MAX_BYTES) return setFault(texts.tooLarge);
    setProgress(0);
    try {
      const query = { file_name: file.name.slice(0, 240) };
      await upload<Campaign>(`uploads/campaigns/${id}`, file, { query, onProgress: setProgress });
      await queryClient.invalidateQueries({ queryKey: queryKey(`campaigns/${id}`) });
      onDone();
    } catch (error) {
      setFault(toFault(error).message);
      await queryClient.invalidateQueries({ queryKey: queryKey(`campaigns/${id}`) });
    } finally {
      setProgress(null);
    }
  };
  return { progress, fault, send };
}

/** A file of two rows with a column for each part of the message. */
function SampleLink({ campaign }: { campaign: CampaignDetail }) {
  const content = contentOf(campaign.template);
  const csv = content && sampleFile(content);
  const url = useMemo(() => csv && URL.createObjectURL(new Blob([csv], { type: 'text/csv' })), [csv]);
  useEffect(() => () => URL.revokeObjectURL(url || ''), [url]);
  if (!url) return null;
  return (
    <Anchor href={url} download={`${campaign.template.name}.csv`} size="sm">
      {texts.sample}
    </Anchor>
  );
}
