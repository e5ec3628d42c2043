import { IsOptional, Matches } from 'class-validator';
import { type Command, Option } from 'commander';
import { ApiError } from '../../common/errors.js';
import { PricingService } from '../../pricing/pricing.service.js';
import { describeLimit } from '../../spending/describe-limit.js';
import { SPEND_AMOUNT, SPEND_PERIODS, type SpendPeriod } from '../../spending/domain/spend-limit.js';
import { SpendLimitsService, type SpendLimitTarget } from '../../spending/spend-limits.service.js';
import { SpendTargetsService } from '../../spending/spend-targets.service.js';
import type { Act } from '../action.js';
import type { AdminContext } from '../admin-context.js';
import { IsId } from '../options.js';
import { requireTenant } from '../require-tenant.js';

const NONE = 'none';

const IsAmount = () =>
  Matches(new RegExp(`^${NONE}$|${SPEND_AMOUNT.source}`), {
    message: '$property must be an amount, such as 100 or 99.95, or none',
  });

class LimitOptions {
  @IsId('a tenant')
  tenant: string;

  @IsOptional()
  @Matches(/^[\w.-]{1,64}$/, { message: '$property must be a messaging_account_id' })
  number?: string;

  @IsOptional()
  @IsId('an API key')
  key?: string;

  @IsOptional()
  @IsAmount()
  day?: string;

  @IsOptional()
  @IsAmount()
  month?: string;

  @IsOptional()
  @Matches(/^[A-Z]{3}$/, { message: '$property must be the code of a currency, such as USD' })
  currency?: string;
}

/** What may be spent. */
export function spendingCommands(program: Command, act: Act): void {
  program
    .command('spend:limit')
    .description(
      "Shows a tenant's spending limits and what is spent of them, after setting or removing some.",
    )
    .usage(
      '--tenant ID [--number ACC | --key ID] [--day AMOUNT|none] [--month AMOUNT|none] [--currency CODE]',
    )
    .requiredOption('--tenant <id>', 'tenant_id whose spending it is')
    .addOption(
      new Option('--number <id>', 'messaging_account_id, for a limit of this number').conflicts('key'),
    )
    .option('--key <id>', 'for a limit of this API key')
    .option('--day <amount>', 'what may be spent in a day (UTC); none removes the limit')
    .option('--month <amount>', 'the same in a month')
    .option('--currency <code>', 'of the amounts (default: that of the rate card, if it has one only)')
    .action(act(limit, LimitOptions));
}

async function limit(context: AdminContext, options: LimitOptions): Promise<object> {
  const tenant = await requireTenant(context, options.tenant);
  const limits = context.get(SpendLimitsService);
  const { number: messagingAccountId, key: apiKeyId } = options;
  const named = { messagingAccountId, apiKeyId };
  const target = await context.get(SpendTargetsService).find(tenant.id, named, { platformKeys: true });
  for (const period of SPEND_PERIODS) {
    const amount = options[period];
    if (amount === undefined) continue;
    const currency = options.currency ?? (await onlyCurrency(context));
    await change(limits, { tenantId: tenant.id, ...target, period, currency }, amount);
  }
  return { limits: (await limits.list(tenant.id)).map(describeLimit) };
}

async function change(limits: SpendLimitsService, target: SpendLimitTarget, amount: string): Promise<void> {
  if (amount !== NONE) {
    await limits.set(target, amount);
    return;
  }
  const { tenantId, scope, targetId, period, currency } = target;
  const found = (await limits.list(tenantId)).find(
    (one) =>
      one.scope === scope &&
      one.target_id === targetId &&
      one.period === (period satisfies SpendPeriod) &&
      one.currency === currency,
  );
  if (!found || !(await limits.remove(tenantId, found.spend_limit_id)))
    throw new ApiError('NOT_FOUND', `There is no such limit in ${currency}.`, [{ field: `--${period}` }]);
}

async function onlyCurrency(context: AdminContext): Promise<string> {
  const [currency, ...others] = await context.get(PricingService).currencies();
  if (currency !== undefined && others.length === 0) return currency;
  const message = 'Give --currency: the rate card does not have exactly one.';
  throw new ApiError('VALIDATION_FAILED', message, [{ field: '--currency' }]);
}
