import { expect, it } from '@jest/globals';
import { AnsweringThread } from '../../test/support/answering-thread.js';
import { testConfig } from '../../test/support/service.js';
import { ANSWER_TIMEOUT, EndpointHttp } from './endpoint-http.js';

it('An answer that came in time counts, though the worker stood still until it was over', async () => {
  const thread = new AnsweringThread();
  const url = await thread.start();
  const http = new EndpointHttp(testConfig({ PROVIDER_BASE_URL: url }));
  try {
    const answer = http.post(`${url}/events`, {}, '{"events":[]}');
    await thread.asked();
    thread.standStill(ANSWER_TIMEOUT + 100);
    expect(await answer).toMatchObject({ status: 200, error: null });
  } finally {
    await http.onApplicationShutdown();
    await thread.stop();
  }
});
