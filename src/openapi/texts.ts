export const TAGS = {
  Templates: 'Message templates of a messaging account. They are created and edited in the dashboard only.',
  Messages: 'Sending template messages and following them: the message log.',
  'Opt-outs': 'Recipients who want no marketing, or no message at all, of the tenant.',
};

/** The start of the document, in Markdown. */
export const DESCRIPTION = `
Sends pre-approved WhatsApp message templates: lists the templates of an account, and queues a message from one of them,
at once or for a later time.

**Try it out:** press *Authorize*, enter the API key that the embedded default printed when it started (it also stands in
\`.data/sandbox.json\`), and execute an operation with the example that is filled in. Messages go to a sandbox, whose
inbox shows what the phones received.

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`. A key belongs to one tenant, or is a platform key that names
the tenant in \`X-TENANT-ID\`. What belongs to another tenant does not exist for you.

A key has scopes, all of them unless it was made with fewer: \`messages:send\`, \`messages:read\`, \`templates:read\`,
\`events:read\` and \`settings:write\`. Each operation names the one that it needs; without it the answer is a 403 with the
code \`SCOPE_MISSING\`. A key may also have an expiry, after which it is a 401 as if it were unknown.

## Answers

All answers are JSON. A success is \`{"success": true, "data": …}\`. Anything else is
\`{"success": false, "error": {"code", "message", "details"}, "request_id"}\`: decide by \`code\`, show \`message\` to people,
find the faulty fields in \`details\`. Each operation names its codes; the schema \`ErrorCode\` lists them all.
\`request_id\` is also the \`X-Request-Id\` header of every answer.

## Limits

- A key may make 60,000 requests a minute, unless the service is configured otherwise; then comes a 429 with
  \`Retry-After\` in seconds. So it does after too many failed authentications from one address. A batch counts as many
  requests as it has messages.
- A body may have 256 KiB, that of a batch 2 MiB.
- The provider lets a recipient have only few marketing messages a day; see \`auto_retry_on_frequency_cap\`.
`.trim();
