import { createHash } from 'node:crypto';
import { writeTag } from '../domain/message-tag.js';

/** What a process tells of a message: from when to when it did what. */
export interface MessageSpan {
  messageLogId: number;
  name: 'accept' | 'wait' | 'call' | 'receipt';
  start: Date;
  end: Date;
  /** Ids, names and codes: never a phone number, a text or a token. */
  attributes: Record<string, string | number | undefined>;
  /** Why it failed, in a word or a code. */
  fault?: string | undefined;
  /** The caller's `traceparent`. */
  cause?: string | undefined;
}

/** The ids of a message's trace, as hex. */
export interface TraceIds {
  traceId: string;
  /** Of its first span, `accept`, under which all others are. */
  rootId: string;
}

/**
 * They are made of the message's id and that of the installation: so every process knows the trace of a message, and
 * nothing has to be stored or passed on. Hashed, as sampling goes by the bits of the trace's id.
 */
export function traceIdsOf(installation: string, messageLogId: number): TraceIds {
  const digest = createHash('sha256').update(writeTag(installation, messageLogId)).digest('hex');
  return { traceId: digest.slice(0, 32), rootId: digest.slice(32, 48) };
}

/** The ids in a `traceparent` header of W3C's Trace Context; undefined when it is none. */
export function readTraceparent(header: string | undefined): { traceId: string; spanId: string } | undefined {
  const parts = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header ?? '');
  return parts ? { traceId: parts[1]!, spanId: parts[2]! } : undefined;
}
