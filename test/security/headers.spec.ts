import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { sign } from '../support/webhooks.js';
import { SECRETS } from '../support/service.js';
import { useTestService } from '../support/test-service.js';

const service = useTestService();

const BODY = '{"object":"whatsapp_business_account","entry":[]}';
const SIGNED = {
  'Content-Type': 'application/json',
  'X-Hub-Signature-256': sign(BODY, SECRETS.sandboxAppSecret),
};

/** One answer of each kind, data and faults. */
const DATA: [string, (api: Api) => Promise<{ headers: Headers }>][] = [
  ['a list', (api) => api.get('/api/v1/messages')],
  ['a send', (api) => api.send('+12025550101')],
  ['a send that is refused', (api) => new Api(api.url, null).send('+12025550101')],
  ['an unknown route', (api) => api.get('/api/v1/nothing')],
  ['a webhook', (api) => api.request('POST', '/webhooks/provider', BODY, SIGNED)],
];

const PAGES = ['/dashboard', '/dashboard/login', '/docs', '/dashboard/api/session', '/nothing'];

describe('Every answer', () => {
  it.each(DATA)(
    'with data may not be framed, and browsers may not guess its type: %s',
    async (_what, ask) => {
      const { headers } = await ask(service().api);
      expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000');
      expect(headers.get('X-Powered-By')).toBeNull();
    },
  );

  it.each(PAGES)(
    'with a page may not be framed by other sites, and tells them no referrer: %s',
    async (path) => {
      const { headers } = await new Api(service().url, null).get(path);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toMatch(/frame-ancestors '(self|none)'/);
      expect(policy).toContain("object-src 'none'");
      expect(policy).toContain("base-uri 'self'");
      expect(policy).toMatch(/script-src 'self'(;|$)/);
      expect(headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000');
      expect(headers.get('X-Powered-By')).toBeNull();
    },
  );
});
