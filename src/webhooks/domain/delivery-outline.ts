import { JsonScanner } from './json-scanner.js';
import { accountId, idText } from './wire-values.js';

/** Entries of one delivery at most; the provider sends up to 1,000 updates. */
const MAX_ENTRIES = 1_000;

/** What is read from a delivery's bytes before it is known who has sent them. */
export interface DeliveryOutline {
  /** The distinct WABA ids of business accounts that it names. For valid JSON, the same as `accountsNamed`. */
  accounts: string[];
  /** False when it is nested deeper, or has far more parts, than the provider's: then not all of it was read. */
  isBounded: boolean;
}

/**
 * Which accounts a delivery names, so that its signature can be checked before it is parsed. The accounts are compared
 * again after parsing, so that bytes gain nothing by misleading this function.
 */
export function outlineOf(body: Uint8Array): DeliveryOutline {
  const json = new JsonScanner(body);
  const accounts = new Set<string>();
  let entries = 0;
  const readEntry = () => {
    if ((entries += 1) > MAX_ENTRIES) return json.stop();
    let own = '';
    const named = new Set<string | null>();
    json.object(['id', 'changes'], (name) => {
      if (name === 'id') return void (own = accountId(json.text()));
      json.array(() => {
        const change = readChange(json);
        if (change) named.add(change.account);
      });
    });
    if (named.size === 0) named.add(null);
    for (const account of named) if (account ?? own) accounts.add(account ?? own);
  };
  json.object(['entry'], () => json.array(readEntry));
  return { accounts: [...accounts], isBounded: !json.isStopped };
}

/**
 * The account of the first entry, if its id stands before its changes, as in all deliveries of the provider; null
 * otherwise. It reads no further. For small deliveries, this is enough to check the signature.
 */
export function firstAccountOf(body: Uint8Array): string | null {
  const json = new JsonScanner(body);
  let account: string | null = null;
  const readEntry = () => {
    json.object(['id', 'changes'], (name) => {
      if (name === 'id') account = accountId(json.text()) || null;
      json.stop();
    });
    json.stop();
  };
  json.object(['entry'], () => json.array(readEntry));
  return account;
}

/** The account that a change itself names, as a partner's event does; null when it names none. */
function readChange(json: JsonScanner): { account: string | null } | null {
  let field: string | null = null;
  let account: string | null = null;
  const isObject = json.object(['field', 'value'], (name) => {
    if (name === 'field') field = json.text();
    else json.object(['waba_info'], () => json.object(['waba_id'], () => (account = idText(json.text()))));
  });
  return isObject ? { account: field === 'account_update' ? account : null } : null;
}
