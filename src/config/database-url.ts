import { isURL, registerDecorator, type ValidationOptions } from 'class-validator';

const SCHEMES = {
  protocols: ['postgres', 'postgresql'],
  require_protocol: true,
  require_tld: false,
  allow_underscores: true, // as the services of Compose may be named
};

/** The parts of a URL with several hosts: what is before them, the hosts, and what is behind them. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

/** As in libpq: which servers to take. The service can use none but those that take writes. */
const SESSION_ATTRIBUTE = 'target_session_attrs';
const WRITABLE = new Set(['read-write', 'primary']);

/**
 * Parts a URL as libpq takes it, `postgres://user@host1:port1,host2:port2/database?target_session_attrs=read-write`,
 * into a URL for each host, in their order.
 * @returns null when it is malformed, or asks for servers that the service cannot use
 */
export function urlsOfHosts(url: string): string[] | null {
  const [, before, hosts, behind = ''] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined) return null;
  const path = behind.replace(/\?.*/, '');
  const parameters = new URLSearchParams(behind.slice(path.length));
  if (parameters.getAll(SESSION_ATTRIBUTE).some((value) => !WRITABLE.has(value))) return null;
  parameters.delete(SESSION_ATTRIBUTE);
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path;
  const urls = hosts.split(',').map((host) => `${before}${host}${rest}`);
  return urls.every((each) => isURL(each, SCHEMES)) ? urls : null;
}

/** Checks a variable by {@link urlsOfHosts}; the fault names the variable and no value. */
export function IsDatabaseUrl(options: ValidationOptions = {}): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isDatabaseUrl',
      target: target.constructor,
      propertyName: property as string,
      options: {
        message:
          `${String(property)} must be a postgres:// URL; several hosts stand with commas between them, and ` +
          `${SESSION_ATTRIBUTE} may be read-write or primary`,
        ...options,
      },
      validator: { validate: (value) => typeof value === 'string' && urlsOfHosts(value) !== null },
    });
}
