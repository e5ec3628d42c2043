import { hashKey } from '@tanstack/react-query';
import type { DraftContent, SavedDraft } from './types';

/** What has not reached the server yet, and the revision it was made to. */
export interface DraftBackup {
  revision: number;
  content: DraftContent;
  /** What was last on its way to the server: a reload may have come before its answer. */
  sent: DraftContent | null;
}

/** The revision that a backup was made to, now that it is known what has reached the server. */
export function revisionOf({ revision, sent }: DraftBackup, saved: SavedDraft | null): number {
  if (!saved || !sent || saved.revision <= revision) return revision;
  const { draft, business_account_id } = saved;
  return hashKey([{ draft, business_account_id }]) === hashKey([sent]) ? saved.revision : revision;
}

const slot = (userId: string, key: string) => `template-draft:${userId}:${key}`;

/** Keeps it in this browser. Where that is full or forbidden, the server's copy has to do. */
export function keepBackup(userId: string, key: string, backup: DraftBackup): void {
  try {
    localStorage.setItem(slot(userId, key), JSON.stringify(backup));
  } catch {
    clearBackup(userId, key); // an older one would be worse than none
  }
}

export function readBackup(userId: string, key: string): DraftBackup | null {
  try {
    return JSON.parse(localStorage.getItem(slot(userId, key)) ?? 'null') as DraftBackup | null;
  } catch {
    return null;
  }
}

export function clearBackup(userId: string, key: string): void {
  try {
    localStorage.removeItem(slot(userId, key));
  } catch {
    // There is no storage, so there is nothing to clear.
  }
}
