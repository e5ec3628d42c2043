import { useEffect, useRef, useState } from 'react';
import type { Query } from './client';
import { toFault } from './fault';
import { upload } from './upload';

/** An upload that is under way. */
export interface UploadRun {
  name: string;
  /** 0 to 1. */
  fraction: number;
  cancel: () => void;
}

interface FileUpload<T> {
  run: UploadRun | null;
  /** Why the last file was not taken, in words. */
  fault: string | null;
  setFault: (fault: string | null) => void;
  /** `onDone` is told the answer before the run ends, so that there is always one of the two to be shown. */
  start: (file: File, query: Query, onDone: (answer: T) => void) => Promise<void>;
}

/** One upload at a time, as the raw body to a path; the one under way ends when its component goes. */
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
