import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO } from '../../src/embedded/demo.js';
import type { Api } from '../support/api.js';
import { dashboardApi } from '../support/dashboard-api.js';
import { runSql } from '../support/operator.js';
import { useTestService } from '../support/test-service.js';

const ATTACKS = [
  `'`,
  `' OR '1'='1`,
  `' OR 1=1 --`,
  `'; DROP TABLE message_logs; --`,
  `') UNION SELECT password_hash FROM dashboard_users --`,
  `$1`,
  `\\' OR 1=1 --`,
  `%' OR '%'='`,
  `'||pg_sleep(9)||'`,
];

/** Every text by which lists can be searched. */
const SEARCHES = [
  '/api/v1/templates?messaging_account_id=',
  '/api/v1/messages?template=',
  '/api/v1/messages?messaging_account_id=',
  '/api/v1/messages?phone=',
  '/api/v1/messages?cursor=',
  '/dashboard/api/messages?template=',
  '/dashboard/api/messages?cursor=',
  '/dashboard/api/messages/export?template=',
  '/dashboard/api/templates?search=',
  '/dashboard/api/templates?language=',
  '/dashboard/api/templates?cursor=',
  '/dashboard/api/audit-log?action=',
  '/dashboard/api/overview?zone=',
];

const service = useTestService();
let user: Api;
beforeAll(async () => {
  user = await dashboardApi(service());
  await service().api.send('+12025550100');
});

const caller = (path: string) => (path.startsWith('/api/') ? service().api : user);

/** The number of rows that an attack would want to change. */
async function rows(): Promise<unknown> {
  const [counts] = await runSql(
    service(),
    `SELECT (SELECT count(*) FROM message_logs) AS messages, (SELECT count(*) FROM templates) AS templates,
       (SELECT count(*) FROM dashboard_users) AS users`,
  );
  return counts;
}

describe('SQL in a text', () => {
  it.each(SEARCHES)('finds nothing in a search, and breaks nothing: %s', async (path) => {
    const before = await rows();
    for (const attack of ATTACKS) {
      const { status, text } = await caller(path).get(`${path}${encodeURIComponent(attack)}`);
      expect([attack, [200, 400, 404, 422].includes(status), status]).toEqual([attack, true, status]);
      expect(text).not.toMatch(/12025550100|order_update|argon2|syntax error|pg_/);
    }
    expect(await rows()).toEqual(before);
  });

  it('is stored as the text that it is', async () => {
    for (const attack of ATTACKS) {
      const { body } = await service().api.send('+12025550100', {
        data: {
          name: 'order_update',
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: attack },
                { type: 'text', text: 'A-1' },
              ],
            },
          ],
        },
      });
      const message = await service().api.message(body.data['message_log_id']);
      expect(message['components'][0].parameters[0].text).toBe(attack);
    }
    expect(
      await service().api.get(`/api/v1/templates?messaging_account_id=${DEMO.numbers[0].apiId}`),
    ).toMatchObject({
      status: 200,
    });
  });
});
