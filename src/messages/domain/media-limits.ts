import type { MEDIA_TYPES } from '../components/header-media.js';

export type MediaKind = (typeof MEDIA_TYPES)[number];

interface MediaLimits {
  /** MIME types with the endings that their files have. */
  types: Record<string, string[]>;
  maxBytes: number;
}

const MiB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/**
 * The files that the provider takes as the header of a message. A template's sample is held to narrower ones.
 * Source: Cloud API reference, "Supported Media Types".
 */
export const MEDIA_LIMITS: Record<MediaKind, MediaLimits> = {
  image: { types: { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] }, maxBytes: 5 * MiB },
  video: { types: { 'video/mp4': ['.mp4'], 'video/3gpp': ['.3gp'] }, maxBytes: 16 * MiB },
  document: {
    types: {
      'application/pdf': ['.pdf'],
      'text/plain': ['.txt'],
      'application/msword': ['.doc'],
      'application/vnd.ms-excel': ['.xls'],
      'application/vnd.ms-powerpoint': ['.ppt'],
      [`${OFFICE}.wordprocessingml.document`]: ['.docx'],
      [`${OFFICE}.spreadsheetml.sheet`]: ['.xlsx'],
      [`${OFFICE}.presentationml.presentation`]: ['.pptx'],
    },
    maxBytes: 100 * MiB,
  },
};

/** The kind of header that a file of this MIME type can be; null when it can be none. */
export function mediaKind(type: string): MediaKind | null {
  const kinds = Object.keys(MEDIA_LIMITS) as MediaKind[];
  return kinds.find((kind) => Object.hasOwn(MEDIA_LIMITS[kind].types, type)) ?? null;
}
