import type { Command } from 'commander';
import { DataSource, type Repository } from 'typeorm';
import { BusinessAccount } from '../../accounts/business-account.entity.js';
import { SecretBox } from '../../accounts/secret-box.js';
import { ConfigError } from '../../config/config.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';

type Secret = 'accessToken' | 'appSecret';

const SECRETS: Secret[] = ['accessToken', 'appSecret'];

/** The provider's tokens and app secrets at rest. */
export function secretCommands(program: Command, act: Act): void {
  program
    .command('secrets:rotate')
    .description(
      'Encrypts the stored tokens and secrets with the first key of ENCRYPTION_KEY, where an older one was used. ' +
        'Afterwards the older keys may be taken from the list.',
    )
    .usage('')
    .action(act(rotate));
}

async function rotate(context: AdminContext): Promise<object> {
  const rows = context.get(DataSource).getRepository(BusinessAccount);
  const box = context.get(SecretBox);
  let rotated = 0;
  for (const account of await rows.find({ order: { createdAt: 'ASC' } }))
    for (const secret of SECRETS)
      if (box.isOutdated(account[secret])) rotated += await sealAgain(rows, box, account, secret);
  return { rotated };
}

/** Leaves a secret alone that was replaced meanwhile. @returns how many were written */
async function sealAgain(
  rows: Repository<BusinessAccount>,
  box: SecretBox,
  account: BusinessAccount,
  secret: Secret,
): Promise<number> {
  const { id, [secret]: sealed } = account;
  const { affected } = await rows.update(
    { id, [secret]: sealed },
    { [secret]: box.seal(open(box, sealed, id)) },
  );
  return affected ?? 0;
}

function open(box: SecretBox, sealed: string, accountId: string): string {
  try {
    return box.open(sealed);
  } catch {
    throw new ConfigError([
      `ENCRYPTION_KEY lacks the key that the secrets of business account ${accountId} were encrypted with`,
    ]);
  }
}
