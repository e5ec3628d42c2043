import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { EventReceiver } from './event-receiver.js';
import { eventually } from './eventually.js';
import { startTestService, type TestService } from './service.js';

export const ENDPOINTS = '/api/v1/webhook-endpoints';

interface MadeEndpoint {
  id: string;
  secret: string;
  receiver: EventReceiver;
}

export interface TestEndpoints {
  service: () => TestService;
  /** Something that takes what is posted to it. */
  receive: () => Promise<EventReceiver>;
  /** Makes an endpoint that leads to a receiver of its own. */
  add: (settings?: Record<string, unknown>) => Promise<MadeEndpoint>;
}

/** A service for the tests of the file. Endpoints and receivers are gone after each of them. */
export function useEndpoints(): TestEndpoints {
  let service: TestService;
  const receivers: EventReceiver[] = [];
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    for (const { webhook_endpoint_id: id } of (await service.api.get(ENDPOINTS)).body.data as any[])
      await service.api.request('DELETE', `${ENDPOINTS}/${id}`);
    for (const one of receivers.splice(0)) await one.stop();
  });
  const receive = async () => {
    const started = await EventReceiver.start();
    receivers.push(started);
    return started;
  };
  const add = async (settings: Record<string, unknown> = {}) => {
    const receiver = await receive();
    // The end of the stream is not known while a test of another file has a long transaction in the same PostgreSQL.
    const body = await eventually(async () => {
      const answer = await service.api.post(ENDPOINTS, { url: receiver.url, ...settings });
      if (answer.status !== 201) throw new Error(`No endpoint was made: ${JSON.stringify(answer.body)}`);
      return answer.body;
    });
    return { id: body.data['webhook_endpoint_id'], secret: body.data['secret'], receiver } as MadeEndpoint;
  };
  return { service: () => service, receive, add };
}
