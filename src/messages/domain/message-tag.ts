/** What goes out with a message and comes back in its receipts (`biz_opaque_callback_data`). */
export interface MessageTag {
  /** Which installation of the service sent it; null in tags of versions that wrote none. */
  installation: string | null;
  messageLogId: number;
}

const FORM = /^(?:tms:([0-9a-f]{16}):)?(\d{1,15})$/;

export function writeTag(installation: string, messageLogId: number): string {
  return `tms:${installation}:${messageLogId}`;
}

/** @returns null for a text that no version of ours has written */
export function readTag(text: unknown): MessageTag | null {
  const parts = FORM.exec(typeof text === 'string' ? text : '');
  return parts && { installation: parts[1] ?? null, messageLogId: Number(parts[2]) };
}
