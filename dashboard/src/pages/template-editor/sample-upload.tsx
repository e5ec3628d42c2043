import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconCheck, IconFile, IconPhoto, IconTrash, IconUpload, IconVideo } from '@tabler/icons-react';
import { ErrorCode, type FileRejection, useDropzone } from 'react-dropzone';
import { type MediaKind, SAMPLE_LIMITS } from '../../../../src/templates/domain/header-samples';
import { useUpload } from '../../api/use-upload';
import { UploadProgress } from '../../components/upload-progress';
import { formatBytes } from '../../format';
import { strings } from '../../strings';
import { fieldId } from './field-props';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

const { upload: texts } = strings.templateEditor;
const ICONS = { image: IconPhoto, video: IconVideo, document: IconFile };
const FIELD = 'header.media_handle';

interface SampleUploadProps {
  kind: MediaKind;
  editor: Editor;
}

/** Takes the sample of a media header by click or drop, and uploads it to the provider. */
export function SampleUpload({ kind, editor }: SampleUploadProps) {
  const { header } = editor.draft;
  const { run, fault, setFault, start } = useUpload<{ handle: string }>('uploads/header-sample');
  const take = (file: File) => {
    const { business_account_id } = editor.content;
    if (business_account_id === null) return setFault(texts.needsAccount);
    void start(file, { file_name: file.name, business_account_id }, ({ handle }) => {
      editor.setLocalFile({ url: URL.createObjectURL(file), handle });
      editor.updateHeader({ media_handle: handle, media_url: null, file_name: file.name });
    });
  };
  const { types, maxBytes } = SAMPLE_LIMITS[kind];
  const size = formatBytes(maxBytes);
  const dropzone = useDropzone({
    accept: types,
    maxSize: maxBytes,
    minSize: 1,
    multiple: false,
    disabled: run !== null,
    onDropAccepted: ([file]) => file && take(file),
    onDropRejected: ([rejection]) => setFault(rejection ? reasonOf(rejection, kind, size) : null),
    onFileDialogCancel: () => editor.touch(FIELD),
  });
  const hasSample = header.media_handle !== null || header.media_url !== null;
  return (
    <Input.Wrapper
      label={texts.label}
      labelElement="div"
      withAsterisk
      description={texts.purpose}
      error={fault ?? editor.errorAt(FIELD)}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Stack gap="xs" mt={6}>
        {run && <UploadProgress run={run} />}
        {!run && hasSample && <Ready kind={kind} editor={editor} onReplace={dropzone.open} />}
        <div
          {...dropzone.getRootProps({
            className: classes.dropzone,
            id: fieldId(FIELD),
            role: 'button',
            'aria-label': `${texts.label}: ${texts.drop}`,
            hidden: run !== null || hasSample,
            ...(dropzone.isDragActive && { 'data-active': true }),
          })}
        >
          <input {...dropzone.getInputProps({ 'aria-label': texts.label })} />
          <IconUpload size={24} aria-hidden />
          <Text size="sm" fw={500}>
            {dropzone.isDragActive ? texts.dropNow : texts.drop}
          </Text>
          <Text size="xs" c="dimmed">
            {texts.limits(kind, size)}
          </Text>
        </div>
      </Stack>
    </Input.Wrapper>
  );
}

function Ready({ kind, editor, onReplace }: SampleUploadProps & { onReplace: () => void }) {
  const { file_name, media_handle } = editor.draft.header;
  const Icon = ICONS[kind];
  const remove = () => {
    editor.setLocalFile(null);
    editor.updateHeader({ media_handle: null, media_url: null, file_name: null });
  };
  return (
    <Group gap="sm" wrap="nowrap">
      <Icon size={22} aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {file_name ?? texts.stored}
        </Text>
        {media_handle !== null && (
          <Group gap={4}>
            <IconCheck size={14} aria-hidden />
            <Text size="xs" c="dimmed">
              {texts.ready}
            </Text>
          </Group>
        )}
      </div>
      <Button variant="default" size="xs" onClick={onReplace}>
        {texts.replace}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={texts.remove} onClick={remove}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function reasonOf({ errors }: FileRejection, kind: MediaKind, size: string): string {
  const codes = new Set(errors.map(({ code }) => code));
  if (codes.has(ErrorCode.TooManyFiles)) return texts.tooMany;
  if (codes.has(ErrorCode.FileInvalidType)) return texts.wrongType(kind);
  return codes.has(ErrorCode.FileTooSmall) ? texts.empty : texts.tooLarge(kind, size);
}
