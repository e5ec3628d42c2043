import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { api } from '../../api/client';
import { useUser } from '../../api/session';
import { readBackup, revisionOf } from './draft-backup';
import { DraftSaver, type SaveState } from './draft-saver';
import type { DraftContent, EditorStart, SavedDraft } from './types';

export interface KeptDraft {
  content: DraftContent;
  state: SaveState;
  /** When the earlier draft was saved from which this one goes on; null when it is new. */
  resumedFrom: string | null;
  change(update: (content: DraftContent) => DraftContent): void;
  /** Goes back to an empty new draft. */
  discard(): Promise<void>;
  takeTheirs(): Promise<void>;
  keepMine(): void;
  saver: DraftSaver;
}

/** A draft that is saved when it changes. @param key under which it is saved */
export function useDraft(start: EditorStart, key: string): KeptDraft {
  const { user_id: userId } = useUser();
  const [{ saver, initial, backup }] = useState(() => open(start, key, userId));
  const [content, setContent] = useState(initial);
  const [resumedFrom, setResumedFrom] = useState(start.saved?.saved_at ?? null);
  const state = useSyncExternalStore(saver.subscribe, saver.snapshot);

  useEffect(() => {
    saver.enter();
    if (backup) saver.change(backup);
    return () => saver.leave();
  }, [saver, backup]);

  const change = useCallback(
    (update: (content: DraftContent) => DraftContent) =>
      setContent((before) => {
        const after = update(before);
        if (after !== before) queueMicrotask(() => saver.change(after));
        return after;
      }),
    [saver],
  );
  const replace = (by: DraftContent) =>
    setContent({ business_account_id: by.business_account_id, draft: by.draft });

  return {
    content,
    state,
    resumedFrom,
    change,
    saver,
    async discard() {
      await saver.stop();
      await api.delete(`template-drafts/${key}`);
      saver.forget();
      replace(start);
      setResumedFrom(null);
    },
    async takeTheirs() {
      const theirs = await api.get<SavedDraft>(`template-drafts/${key}`);
      saver.yieldTo(theirs.revision);
      replace(theirs);
    },
    keepMine() {
      if (state.kind === 'conflict') saver.overwrite(state.revision);
    },
  };
}

/** Opens the draft: text that was typed here and did not reach the server comes before the server's. */
function open(start: EditorStart, key: string, userId: string) {
  const backup = readBackup(userId, key);
  const revision = backup ? revisionOf(backup, start.saved) : (start.saved?.revision ?? 0);
  const { business_account_id, draft } = backup?.content ?? start.saved ?? start;
  const initial: DraftContent = { business_account_id, draft };
  return { saver: new DraftSaver(key, userId, revision), initial, backup: backup ? initial : null };
}
