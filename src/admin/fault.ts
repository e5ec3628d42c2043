import { CommanderError } from 'commander';
import { ApiError } from '../common/errors.js';
import { ConfigError } from '../config/config.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { RateCardError } from '../pricing/domain/rate-card.js';
import { ProviderError } from '../provider/provider-error.js';

/** A fault as a command prints it. */
export interface Fault {
  code: string;
  message: string;
  details: object[];
}

/** What went wrong, without a stack and without any value that was given: it may be a secret. */
export function describeFault(error: unknown): Fault {
  if (error instanceof ApiError) return pick(error);
  if (error instanceof CommanderError) return describeUsage(error);
  if (error instanceof ConfigError)
    return {
      code: 'CONFIGURATION_INVALID',
      message: `The configuration has ${error.faults.length} fault(s): ${error.faults.join('; ')}.`,
      details: error.faults.map((reason) => ({ reason })),
    };
  if (error instanceof RateCardError)
    return {
      code: 'RATE_CARD_INVALID',
      message: `The rate card has ${error.faults.length} fault(s); nothing was loaded.`,
      details: error.faults,
    };
  if (error instanceof ProviderError) return describeRefusal(error);
  if (isDatabaseUnavailable(error))
    return pick({ code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be used now: try again.' });
  return pick({ code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : String(error) });
}

function pick({ code, message, details = [] }: Pick<Fault, 'code' | 'message'> & Partial<Fault>): Fault {
  return { code, message, details };
}

function describeRefusal(error: ProviderError): Fault {
  const { code, httpStatus, details } = error;
  return {
    code: 'PROVIDER_ERROR',
    message: `The provider refused or did not answer: ${error.message}.`,
    details: [{ provider_code: code, http_status: httpStatus, reason: details }],
  };
}

/** Finds the option in commander's message, without a value that may follow it. */
const OPTION = /'(--?[\w-]+)/;

function describeUsage({ code, message }: CommanderError): Fault {
  const option = OPTION.exec(message)?.[1];
  const details = option ? [{ field: option }] : [];
  const problem =
    code === 'commander.unknownOption'
      ? `There is no option ${option?.startsWith('--') ? option : 'with one dash'}.`
      : code === 'commander.help'
        ? 'Name a command.'
        : sentence(message);
  return { code: 'VALIDATION_FAILED', message: `${problem} See --help.`, details };
}

/** `error: unknown command 'x'` and a suggestion on the next line, as sentences. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`;
}
