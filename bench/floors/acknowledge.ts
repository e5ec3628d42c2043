import type { ServerResponse } from 'node:http';

/** The answer of a floor, of the same length as the service's. */
export const acknowledgement = (messageLogId: number) => ({
  success: true,
  data: { status: 'queued', message_log_id: messageLogId, conversation_category: 'UTILITY', cost: 0.0157 },
});

export function acknowledge(response: ServerResponse, messageLogId: number): void {
  const text = JSON.stringify(acknowledgement(messageLogId));
  response
    .writeHead(202, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}
