import { NoPrimaryError } from '../database/hosts.js';
import { StandbyError } from '../database/pooled-query.js';

interface NetworkFault {
  code?: string;
  port?: number;
  address?: string;
  /** The one that names the port, where it is not PORT. */
  variable?: string;
}

/** The usual faults of a start, with what to do about them. */
export function explainStartFault(error: unknown): string {
  if (error instanceof NoPrimaryError || error instanceof StandbyError)
    return `${error.message}: name the primary in DATABASE_URL, or all servers with commas between them.`;
  const { code, port, address, variable = 'PORT' } = error as NetworkFault;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop what uses it, or choose another with ${variable}=3001 npm start.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine has no address ${address} to listen on: check HOST and METRICS_HOST.`;
  if (code === 'EACCES')
    return `Port ${port} may not be used by this user: choose one above 1024 with ${variable}.`;
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${address}:${port}: check DATABASE_URL and that PostgreSQL runs.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
