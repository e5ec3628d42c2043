import type { MEDIA_KINDS } from './template-draft.js';

export type MediaKind = (typeof MEDIA_KINDS)[number];

interface SampleLimits {
  /** MIME types, each with its file extensions. */
  types: Record<string, string[]>;
  maxBytes: number;
}

const MiB = 1024 * 1024;

/** The files that the provider takes as the sample of a media header. */
export const SAMPLE_LIMITS: Record<MediaKind, SampleLimits> = {
  image: { types: { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }, maxBytes: 5 * MiB },
  video: { types: { 'video/mp4': ['.mp4'] }, maxBytes: 16 * MiB },
  document: { types: { 'application/pdf': ['.pdf'] }, maxBytes: 100 * MiB },
};

/** The kind of header that a file of this MIME type is a sample for; null when it is for none. */
export function sampleKind(type: string): MediaKind | null {
  const kinds = Object.keys(SAMPLE_LIMITS) as MediaKind[];
  return kinds.find((kind) => Object.hasOwn(SAMPLE_LIMITS[kind].types, type)) ?? null;
}
