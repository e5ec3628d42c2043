import type { SandboxFile } from './embedded-default.js';

/**
 * What the user sees when the embedded default is ready, with a command that works when it is pasted.
 * @param file where the facts stand
 */
export function welcome(facts: SandboxFile, file: string): string {
  return `
The Template Messaging Service is ready.

  Dashboard   ${facts.dashboard_url}   (${facts.dashboard_email}, ${facts.dashboard_password})
  API         ${facts.base_url}/api/v1
  Docs        ${facts.docs_url}
${facts.metrics_url ? `  Metrics     ${facts.metrics_url}\n` : ''}  Sandbox     ${facts.provider_url}/inbox   (what the phones received, and replies)
  Events      ${facts.provider_url}/events  (what is pushed to a webhook endpoint)
  API key     ${facts.api_key}

Send a message:

${curl(facts)}

Everything about this sandbox stands in ${file}. Stop it with Ctrl-C; its data stay.
`;
}

function curl(facts: SandboxFile): string {
  const body = {
    messaging_account_id: facts.messaging_account_ids[0],
    phone: '+12025550100',
    message_type: 'template',
    data: { name: 'order_update', params: ['Amal', 'A-1001'] },
  };
  return [
    `curl -s ${facts.base_url}/api/v1/messages/send`,
    `-H 'Authorization: Bearer ${facts.api_key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
