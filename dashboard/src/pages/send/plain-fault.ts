import { ApiFault, toFault } from '../../api/fault';
import { strings } from '../../strings';
import type { Validation } from './types';

/** The status of an answer that tells of faults. */
const OK = 200;

const WORDS: Record<string, string> = strings.send.faults;

/** A fault in the words of the form, in place of the service's words about fields of a request. */
export function plainFault(error: Error): ApiFault {
  const fault = toFault(error);
  const message = WORDS[fault.code];
  if (message === undefined) return fault;
  const details = fault.details.map((detail) => ({ ...detail, message }));
  return new ApiFault(fault.status, fault.code, message, details, fault.requestId, fault.retryAfter);
}

/** Why the message would be refused, in the same words and in the order of the checks. */
export const refusalsOf = ({ errors }: Validation): ApiFault[] =>
  errors.map(({ code, message, details }) => plainFault(new ApiFault(OK, code, message, details)));
