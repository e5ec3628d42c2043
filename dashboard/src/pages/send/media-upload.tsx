import { ActionIcon, Group, Input, Text } from '@mantine/core';
import { IconFileCheck, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MEDIA_LIMITS, type MediaKind } from '../../../../src/messages/domain/media-limits';
import { useUpload } from '../../api/use-upload';
import { FileDrop, type FileProblem } from '../../components/file-drop';
import { UploadProgress } from '../../components/upload-progress';
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
  const { run, fault, setFault, start } = useUpload<{ id: string }>('uploads/media');
  const take = (file: File) => {
    if (number === null) return setFault(texts.chooseNumberFirst);
    const query = { messaging_account_id: number, file_name: file.name.slice(-255) };
    void start(file, query, ({ id }) => {
      onLocalFile(URL.createObjectURL(file));
      onChange({ id, uploaded_for: { messaging_account_id: number, kind }, file_name: file.name });
    });
  };
  const { types, maxBytes } = MEDIA_LIMITS[kind];
  const [endings, size] = [Object.values(types).flat().join(', '), formatBytes(maxBytes)];
  const isReady = run === null && isUploadedFor(media, number, kind);
  const remove = () => {
    onChange({ id: null, uploaded_for: null, file_name: '' });
    onLocalFile(null);
  };
  return (
    <Input.Wrapper error={fault ?? error}>
      {run && <UploadProgress run={run} />}
      {isReady && <Ready name={media.file_name} onRemove={remove} />}
      {run === null && !isReady && (
        <FileDrop
          label={texts.media[kind]}
          hint={texts.limits(endings, size)}
          accept={types}
          maxSize={maxBytes}
          onFile={take}
          onProblem={(problem) => setFault(problemText(problem, endings, size))}
        />
      )}
    </Input.Wrapper>
  );
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
