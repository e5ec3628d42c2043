import type { WireTemplateComponent } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import type { SandboxState } from './sandbox-state.js';
import { MEDIA_FORMATS } from './template-rules.js';

/** A handle as the template list shows it: as the URL of its file. */
const LISTED = /^https?:.*\/files\/([^/]+)$/i;

/**
 * Throws 131009 for a sample that is no upload to the account's app. A sample of an existing template of the account is
 * taken too, as its handle or its listed URL: an editor that leaves a sample unchanged knows only the URL.
 */
export function checkSamples(state: SandboxState, wabaId: string, components: WireTemplateComponent[]): void {
  const samples = samplesOf(components);
  if (samples.length === 0) return;
  const app = state.accounts.get(wabaId)?.appId;
  const taken = new Set(state.templatesOf(wabaId).flatMap(({ template }) => samplesOf(template.components)));
  const unknown = samples.find(
    (sample) =>
      !taken.has(sample) && !taken.has(handleOf(sample)) && state.uploads.get(sample)?.owner !== app,
  );
  if (unknown === undefined) return;
  throw new GraphError(131009, `${unknown.slice(0, 100)} is not a handle of an upload.`, {
    subcode: 2494102,
    userTitle: 'Media handle is not valid',
    userMessage: 'The sample of the header is not an upload of this app. Upload it again.',
  });
}

function handleOf(sample: string): string {
  const [, handle = ''] = LISTED.exec(sample) ?? [];
  return new URLSearchParams(`handle=${handle.replaceAll('+', '%2B')}`).get('handle') ?? ''; // never throws
}

/** The samples of all media headers, those of a carousel's cards included. */
function samplesOf(components: WireTemplateComponent[]): string[] {
  return components.flatMap(({ format, example, cards }) => [
    ...(format && MEDIA_FORMATS.has(format) ? (example?.header_handle ?? []).map(String) : []),
    ...(cards ?? []).flatMap((card) => samplesOf(card.components)),
  ]);
}
