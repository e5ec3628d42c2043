import { describe, expect, it } from '@jest/globals';
import { AppLogger } from '../src/common/logger.js';
import { VERSION } from '../src/common/project.js';
import { Config } from '../src/config/config.js';
import { startService } from '../src/app/start-service.js';
import { Api, sendBody } from './support/api.js';
import { eventually } from './support/eventually.js';
import './support/matchers.js';
import { RawConnection } from './support/raw-connection.js';
import { SECRETS, startTestService } from './support/service.js';
import { useTestService } from './support/test-service.js';

const CALLS: [string, string][] = [
  ['GET', '/api/v1/templates'],
  ['POST', '/api/v1/messages/send'],
  ['POST', '/webhooks/provider'],
  ['GET', '/dashboard'],
  ['GET', '/docs'],
  ['GET', '/docs-json'],
  ['GET', '/'],
  ['GET', '/metrics/more'],
];

describe('Metrics on a port of their own', () => {
  const service = useTestService({ METRICS_PORT: 0 });
  const own = () => new Api(service().metricsUrl as string, service().api.key);

  it('are served there, and not on the public port', async () => {
    const scrape = await own().get('/metrics');
    expect(scrape).toMatchObject({ status: 200 });
    expect(scrape.text).toContain('tms_messages_accepted_total');
    for (const path of ['/metrics', '/metrics/', '/METRICS', '/metrics?x', '//metrics'])
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect(await service().api.request(method, path)).toBeError(404, 'NOT_FOUND');
  });

  it('have health beside them, which the public port has too', async () => {
    for (const api of [own(), service().api])
      for (const path of ['/health/live', '/health/ready'])
        await eventually(async () => expect(await api.get(path)).toMatchObject({ status: 200 }));
  });

  it.each(CALLS)('have no other route beside them: %s %s', async (method, path) => {
    const answer = await own().request(method, path);
    expect(answer).toBeError(404, 'NOT_FOUND');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('answer malformed HTTP like the public port', async () => {
    const connection = await RawConnection.open(service().metricsUrl as string);
    const [answer] = await connection.say('GET /metrics HTTP/1.1\r\n\r\n').answersUntilClosed();
    expect(answer).toBeError(400, 'VALIDATION_FAILED');
  });
});

describe('Metrics without a port of their own', () => {
  const service = useTestService({ ROLE: 'api' });

  it('are on the public port', async () => {
    expect(service().metricsUrl).toBeNull();
    expect((await service().api.get('/metrics')).text).toContain('tms_messages_accepted_total');
  });
});

describe('A service that stops', () => {
  it('can be scraped to the end, as its metrics close last', async () => {
    const service = await startTestService({
      METRICS_PORT: 0,
      ROLE: 'api',
      SHUTDOWN_GRACE: 600,
      BODY_TIMEOUT: 600,
    });
    const own = new Api(service.metricsUrl as string, null);
    const body = JSON.stringify(sendBody('+12025550100'));
    const head = [
      'POST /api/v1/messages/send HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${SECRETS.demoApiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const connection = (await RawConnection.open(service.url)).say(`${head.join('\r\n')}\r\n\r\n`);
    // A later request was answered, so the service has read what came before.
    expect(await service.api.get('/health/live')).toMatchObject({
      status: 200,
      body: { data: { version: VERSION } },
    });
    const stopped = service.stop();
    await eventually(() => expect(service.api.get('/health/live')).rejects.toThrow('fetch failed'));
    expect((await own.get('/metrics')).text).toContain('tms_messages_accepted_total');
    expect(await own.get('/health/ready')).toBeError(503, 'SERVICE_UNAVAILABLE');
    const [answer] = await connection.say(body).answersUntilClosed();
    expect(answer?.status).toBe(202);
    await stopped;
    await expect(own.get('/metrics')).rejects.toThrow('fetch failed');
  });
});

describe('A start whose metrics port is in use', () => {
  const service = useTestService({ ROLE: 'api' });

  it('fails and names the variable', async () => {
    const { port, hostname } = new URL(service().url);
    const config = Object.assign(new Config(), service().config, { METRICS_PORT: Number(port) });
    const logger = new AppLogger('silent', false);
    await expect(startService(config, { logger })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port: Number(port),
      address: hostname,
      variable: 'METRICS_PORT',
    });
  });
});
