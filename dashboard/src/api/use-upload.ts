import { useEffect, useRef, useState } from 'react';
import type { Query } from './client';
import { toFault } from './fault';
import { upload } from './upload';

/** An upload under way. */
export interface UploadRun {
  name: string;
  /** The fraction that has been sent, 0 to 1. */
  fraction: number;
  cancel: () => void;
}

interface FileUpload<T> {
  run: UploadRun | null;
  /** Why the last file was refused, in words. */
  fault: string | null;
  setFault: (fault: string | null) => void;
  /** `onDone` gets the answer before the run ends, so that the run or the answer can always be shown. */
  start: (file: File, query: Query, onDone: (answer: T) => void) => Promise<void>;
}

/** Uploads one file at a time, as the raw body, to a path. It is canceled when its component is removed. */
export function useUpload<T>(path: string): FileUpload<T> {
  const [run, setRun] = useState<UploadRun | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const start = async (file: File, query: Query, onDone: (answer: T) => void): Promise<void> => {
    const abort = new AbortController();
    current.current = abort;
    const show = (fraction: number) => setRun({ name: file.name, fraction, cancel: () => abort.abort() });
    setFault(null);
    show(0);
    try {
      const answer = await upload<T>(path, file, { query, onProgress: show, signal: abort.signal });
      onDone(answer);
    } catch (error) {
      if (!abort.signal.aborted) setFault(toFault(error).message);
    } finally {
      setRun(null);
    }
  };
  return { run, fault, setFault, start };
}
