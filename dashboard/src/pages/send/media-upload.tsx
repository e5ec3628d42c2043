import { ActionIcon, Group, Input, Progress, Text } from '@mantine/core';
import { IconFileCheck, IconTrash, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { MEDIA_LIMITS, type MediaKind } from '../../../../src/messages/domain/media-limits';
import { toFault } from '../../api/fault';
import { upload } from '../../api/upload';
import { FileDrop, type FileProblem } from '../../components/file-drop';
import { formatBytes } from '../../format';
import { strings } from '../../strings';
import { isUploadedFor } from './send-rules';
import type { MediaValue } from './types';
import type { SendForm } from './use-send-form';

const texts = strings.send;

interface MediaUploadProps {
  form: SendForm;
  kind: MediaKind;
  error: ReactNode;
  onChange: (changes: Partial<MediaValue>) => void;
  onLocalFile: (url: string | null) => void;
}

/** Takes a file by click or drop, and uploads it to the provider. */
export function MediaUpload({ form, kind, error, onChange, onLocalFile }: MediaUploadProps) {
  const { media, messaging_account_id: number } = form.values;
  const { run, fault, setFault, take } = useUpload(number, kind, onChange, onLocalFile);
  const { types, maxBytes } = MEDIA_LIMITS[kind];
  const [endings, size] = [Object.values(types).flat().join(', '), formatBytes(maxBytes)];
  const isReady = run === null && isUploadedFor(media, number, kind);
  const remove = () => {
    onChange({ id: null, uploaded_for: null, file_name: '' });
    onLocalFile(null);
  };
  return (
    <Input.Wrapper error={fault ?? error}>
      {run && (
        <Group gap="sm" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" truncate mb={4}>
              {texts.uploading(run.name)}
            </Text>
            <Progress value={run.fraction * 100} aria-label={texts.uploading(run.name)} />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.cancelUpload}
            onClick={() => run.abort.abort()}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        </Group>
      )}
      {isReady && <Ready name={media.file_name} onRemove={remove} />}
      {run === null && !isReady && (
        <FileDrop
          label={texts.media[kind]}
          hint={texts.limits(endings, size)}
          accept={types}
          maxSize={maxBytes}
          onFile={(file) => void take(file)}
          onProblem={(problem) => setFault(problemText(problem, endings, size))}
        />
      )}
    </Input.Wrapper>
  );
}

interface Run {
  name: string;
  /** 0 to 1. */
  fraction: number;
  abort: AbortController;
}

/** One upload at a time; the one under way ends when its field goes. */
function useUpload(
  number: string | null,
  kind: MediaKind,
  onChange: MediaUploadProps['onChange'],
  onLocalFile: MediaUploadProps['onLocalFile'],
) {
  const [run, setRun] = useState<Run | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const take = async (file: File): Promise<void> => {
    if (number === null) return setFault(texts.chooseNumberFirst);
    const abort = new AbortController();
    current.current = abort;
    setFault(null);
    setRun({ name: file.name, fraction: 0, abort });
    try {
      const { id } = await upload<{ id: string }>('uploads/media', file, {
        query: { messaging_account_id: number, file_name: file.name.slice(-255) },
        onProgress: (fraction) => setRun({ name: file.name, fraction, abort }),
        signal: abort.signal,
      });
      onLocalFile(URL.createObjectURL(file));
      onChange({ id, uploaded_for: { messaging_account_id: number, kind }, file_name: file.name });
    } catch (error) {
      if (!abort.signal.aborted) setFault(toFault(error).message);
    } finally {
      setRun(null);
    }
  };
  return { run, fault, setFault, take };
}

function Ready({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <IconFileCheck size={22} aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {texts.uploaded}
        </Text>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={texts.removeFile} onClick={onRemove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function problemText(problem: FileProblem, endings: string, size: string): string {
  if (problem === 'type') return texts.wrongType(endings);
  if (problem === 'too_large') return texts.tooLarge(size);
  return problem === 'empty' ? texts.empty : texts.tooMany;
}
