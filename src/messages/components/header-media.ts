import { ApiError } from '../../common/errors.js';
import type { WireComponent, WireMedia, WireParameter } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';

export const MEDIA_TYPES = ['image', 'video', 'document'] as const;

type MediaType = (typeof MEDIA_TYPES)[number];

const isGiven = (value: unknown) => value !== undefined && value !== null;
const isUrl = (value: unknown) =>
  typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
const withArticle = (kind: MediaType) => (kind === 'image' ? `an ${kind}` : `a ${kind}`);

export function isMediaHeader(headerType: string): headerType is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(headerType);
}

/** Why the parameter does not serve as the header's media; null when it does. */
function mediaProblem(parameter: WireParameter, kind: MediaType): string | null {
  if (parameter.type !== kind) return `its parameter is of type ${parameter.type}`;
  const media: unknown = parameter[kind];
  if (typeof media !== 'object' || media === null) return `its parameter has no ${kind} object`;
  const { link, id } = media as WireMedia;
  if (isGiven(link) && isGiven(id)) return 'its media has both link and id';
  if (isGiven(link)) return isUrl(link) ? null : 'its link is not an http or https URL';
  if (!isGiven(id)) return 'its media has neither link nor id';
  return typeof id === 'string' && id.trim() !== '' ? null : 'its id is empty or not a string';
}

/** Why a header component does not carry the media that its template needs; null when it does. */
export function headerMediaProblem(header: WireComponent | undefined, kind: MediaType): string | null {
  if (!header) return 'the request has no header component';
  const problems = (header.parameters ?? []).map((parameter) => mediaProblem(parameter, kind));
  if (problems.length === 0) return 'the header component has no parameter';
  return problems.includes(null) ? null : `the header component is of no use: ${problems[0]}`;
}

/**
 * The interface's rule 1: a template with a media header is never sent without media of the same kind.
 * @returns TEMPLATE_HEADER_MEDIA_REQUIRED, or null
 */
export function headerMediaFault(
  content: TemplateContent,
  name: string,
  components: WireComponent[],
): ApiError | null {
  const kind = content.headerType;
  if (!isMediaHeader(kind)) return null;
  const position = components.findIndex((component) => component.type === 'header');
  const problem = headerMediaProblem(components[position], kind);
  if (problem === null) return null;
  const need = `Template ${name} needs ${withArticle(kind)} in a header component, by link or id`;
  const field = position < 0 ? 'data.components' : `data.components[${position}].parameters`;
  return new ApiError('TEMPLATE_HEADER_MEDIA_REQUIRED', `${need}; ${problem}.`, [{ field, expected: kind }]);
}
