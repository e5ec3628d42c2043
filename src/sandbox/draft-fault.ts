import { GraphError } from './graph-error.js';

/** The rules of templates that have a subcode of their own: [title for the editor, subcode]. */
export const RULES = {
  limit: ['Message template limit exceeded', 2388019],
  exists: ['Content in this language already exists', 2388024],
  deleted: ['Message template language is being deleted', 2388023],
  status: ["Message template status can't be changed", 2388039],
  length: ['Character limit exceeded', 2388040],
  header: ['Message header format is incorrect', 2388047],
  body: ['Message body format is incorrect', 2388072],
  footer: ['Message footer format is incorrect', 2388073],
  ratio: ['Parameter words ratio exceeds limit', 2388293],
  edges: ['Leading or trailing parameters are not allowed', 2388299],
} as const;

export function draftFault(title: string, message: string): GraphError;
export function draftFault(title: string, subcode: number, message: string): GraphError;
/** Why a template cannot be created or edited: code 100, with what an editor shows to people. */
export function draftFault(title: string, second: number | string, third?: string): GraphError {
  const [subcode, message] = typeof second === 'number' ? [second, third ?? ''] : [undefined, second];
  return new GraphError(100, message, { subcode, userTitle: title, userMessage: message });
}

/** The length of a text as its limits count it: an emoji is one character, not two. */
export function characters(text: string): number {
  return Array.from(text).length;
}
