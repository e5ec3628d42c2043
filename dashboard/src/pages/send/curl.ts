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

/** A text in single quotes, in which no character is special; a single quote in it ends and restarts them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
