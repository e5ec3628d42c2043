import { hashKey } from '@tanstack/react-query';
import type { DraftContent, SavedDraft } from './types';

/** A draft that has not reached the server yet, and the revision that it is based on. */
export interface DraftBackup {
  revision: number;
  content: DraftContent;
  /** The content of the last save under way: a reload may have come before its answer. */
  sent: DraftContent | null;
}

/** The revision that a backup is based on, after reading what has reached the server. */
export function revisionOf({ revision, sent }: DraftBackup, saved: SavedDraft | null): number {
  if (!saved || !sent || saved.revision <= revision) return revision;
  const { draft, business_account_id } = saved;
  return hashKey([{ draft, business_account_id }]) === hashKey([sent]) ? saved.revision : revision;
}

const slot = (userId: string, key: string) => `template-draft:${userId}:${key}`;

/** Keeps the backup in this browser. If storage is full or forbidden, only the server has a copy. */
export function keepBackup(userId: string, key: string, backup: DraftBackup): void {
  try {
    localStorage.setItem(slot(userId, key), JSON.stringify(backup));
  } catch {
    clearBackup(userId, key); // an older backup would be worse than none
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
