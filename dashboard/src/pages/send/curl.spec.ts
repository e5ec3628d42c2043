import { execFileSync } from 'node:child_process';
import { curlOf } from './curl';
import type { SendRequest } from './types';

const request: SendRequest = {
  messaging_account_id: 'acc_1',
  phone: '+12025550100',
  message_type: 'template',
  data: {
    name: 'order_update',
    language_code: 'en_US',
    components: [
      { type: 'body', parameters: [{ type: 'text', text: `O'Brien "$HOME" \`id\` \\ \n* 100 % 🚚` }] },
    ],
  },
};

/** The arguments that curl would get from a shell. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], { env: { API_KEY: 'tms_key' }, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

describe('the curl line', () => {
  it('makes a shell send the same request as the form, whatever is typed', () => {
    const given = argumentsOf(curlOf(request, 'https://messages.example.com'));
    expect(given.slice(0, -1)).toEqual([
      '-X',
      'POST',
      'https://messages.example.com/api/v1/messages/send',
      '-H',
      'Authorization: Bearer tms_key',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    expect(JSON.parse(given.at(-1) as string)).toEqual(request);
  });
});
