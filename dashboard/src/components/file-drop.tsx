import { Button, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ErrorCode, type FileRejection, useDropzone } from 'react-dropzone';
import { strings } from '../strings';
import classes from './file-drop.module.css';

const texts = strings.components.fileDrop;

/** Why a file was refused. */
export type FileProblem = 'too_many' | 'type' | 'empty' | 'too_large';

interface FileDropProps {
  /** What the file is, as in "CSV file". */
  label: string;
  hint?: ReactNode;
  /** Allowed MIME types with the endings of their files; all types when it is left out. */
  accept?: Record<string, string[]>;
  /** The most bytes that the file may have. */
  maxSize?: number;
  onFile: (file: File) => void;
  onProblem?: (problem: FileProblem) => void;
}

/** An area for one file, by drag and drop or by choice. */
export function FileDrop({ label, hint, accept, maxSize, onFile, onProblem }: FileDropProps) {
  // The button is inside: if the area was the button, the file input would be nested in a button.
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    ...(accept && { accept }),
    ...(maxSize !== undefined && { maxSize }),
    minSize: 1,
    multiple: false,
    noClick: true,
    noKeyboard: true,
    onDropAccepted: ([file]) => file && onFile(file),
    onDropRejected: ([rejection]) => rejection && onProblem?.(problemOf(rejection)),
  });
  return (
    <div
      {...getRootProps({
        className: classes.area ?? '',
        role: 'group',
        'aria-label': label,
        ...(isDragActive && { 'data-active': true }),
      })}
    >
      <input {...getInputProps({ 'aria-label': label })} />
      <IconUpload size={24} aria-hidden />
      <Text size="sm" fw={500}>
        {isDragActive ? texts.dropNow : texts.drop}
      </Text>
      <Button variant="default" size="xs" onClick={open}>
        {texts.choose}
      </Button>
      {hint && (
        <Text size="xs" c="dimmed" maw={480}>
          {hint}
        </Text>
      )}
    </div>
  );
}

function problemOf({ errors }: FileRejection): FileProblem {
  const codes = new Set(errors.map(({ code }) => code));
  if (codes.has(ErrorCode.TooManyFiles)) return 'too_many';
  if (codes.has(ErrorCode.FileInvalidType)) return 'type';
  return codes.has(ErrorCode.FileTooSmall) ? 'empty' : 'too_large';
}
