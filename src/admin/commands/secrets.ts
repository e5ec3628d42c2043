import type { Command } from 'commander';
import { DataSource, type EntityManager, type UpdateResult } from 'typeorm';
import { BusinessAccount } from '../../accounts/business-account.entity.js';
import { SecondFactor } from '../../accounts/second-factor.entity.js';
import { SecretBox } from '../../accounts/secret-box.js';
import { ConfigError } from '../../config/config.js';
import { WebhookEndpoint } from '../../webhook-endpoints/webhook-endpoint.entity.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';

type Secret = 'accessToken' | 'appSecret';

const SECRETS: Secret[] = ['accessToken', 'appSecret'];

/** The provider's tokens and app secrets at rest, and the secrets of second factors and webhook endpoints. */
export function secretCommands(program: Command, act: Act): void {
  program
    .command('secrets:rotate')
    .description(
      'Encrypts the stored tokens and secrets, those of second factors and webhook endpoints too, with the first key of ENCRYPTION_KEY, where an older one was used. ' +
        'Afterwards the older keys may be taken from the list.',
    )
    .usage('')
    .action(act(rotate));
}

async function rotate(context: AdminContext): Promise<object> {
  const source = context.get(DataSource);
  const box = context.get(SecretBox);
  const accounts = source.getRepository(BusinessAccount);
  let rotated = 0;
  for (const { id, ...account } of await accounts.find({ order: { createdAt: 'ASC' } }))
    for (const secret of SECRETS)
      rotated += await sealAgain(box, account[secret], `business account ${id}`, (before, after) =>
        accounts.update({ id, [secret]: before }, { [secret]: after }),
      );
  const factors = source.getRepository(SecondFactor);
  for (const { userId, secret } of await factors.find({ order: { userId: 'ASC' } }))
    rotated += await sealAgain(box, secret, `user ${userId}`, (before, after) =>
      factors.update({ userId, secret: before }, { secret: after }),
    );
  for (const { id } of await source.getRepository(WebhookEndpoint).find({ select: { id: true } }))
    rotated += await source.transaction((manager) => rotateEndpoint(manager, box, id));
  return { rotated };
}

/** An endpoint's secret, and those before it that still count. @returns how many were written */
async function rotateEndpoint(manager: EntityManager, box: SecretBox, id: string): Promise<number> {
  const endpoints = manager.getRepository(WebhookEndpoint);
  const endpoint = await endpoints.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!endpoint) return 0;
  const { secret, formerSecrets } = endpoint;
  const outdated = [secret, ...formerSecrets.map((former) => former.secret)].filter((one) =>
    box.isOutdated(one),
  );
  const again = (sealed: string) =>
    box.isOutdated(sealed) ? box.seal(open(box, sealed, `webhook endpoint ${id}`)) : sealed;
  if (outdated.length > 0)
    await endpoints.update(id, {
      secret: again(secret),
      formerSecrets: formerSecrets.map((former) => ({ ...former, secret: again(former.secret) })),
    });
  return outdated.length;
}

/**
 * Encrypts a secret again if it was encrypted with an older key. If it was replaced meanwhile, it is left alone.
 * @param replace writes the secret, unless it has changed meanwhile
 * @returns how many were written
 */
async function sealAgain(
  box: SecretBox,
  sealed: string,
  owner: string,
  replace: (before: string, after: string) => Promise<UpdateResult>,
): Promise<number> {
  if (!box.isOutdated(sealed)) return 0;
  const { affected } = await replace(sealed, box.seal(open(box, sealed, owner)));
  return affected ?? 0;
}

function open(box: SecretBox, sealed: string, owner: string): string {
  try {
    return box.open(sealed);
  } catch {
    throw new ConfigError([`ENCRYPTION_KEY lacks the key that the secrets of ${owner} were encrypted with`]);
  }
}
