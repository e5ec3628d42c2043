import type { SendRequest } from './types';

/** The request as a line for the shell; `$API_KEY` is the key. */
export function curlOf(request: SendRequest, origin: string): string {
  return [
    `curl -X POST ${quoted(`${origin}/api/v1/messages/send`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(request, null, 2))}`,
  ].join(' \\\n  ');
}

/** Nothing has a meaning within single quotes; one of them ends and begins them anew. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
