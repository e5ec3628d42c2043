import { JsonScanner } from './json-scanner.js';
import { accountId, idText } from './wire-values.js';

/** Entries of one delivery at most; the provider sends up to 1,000 updates. */
const MAX_ENTRIES = 1_000;

/** What the bytes of a delivery say before it is known who has sent them. */
export interface DeliveryOutline {
  /** The distinct business accounts that it names, by the provider's ids: those of `accountsNamed`, for what is JSON. */
  accounts: string[];
  /** False when it is nested deeper, or has far more in it, than the provider sends: then not all is looked at. */
  isBounded: boolean;
}

/**
 * Which accounts a delivery names, so that its signature is looked at before it is parsed. Whose it is in the end is
 * decided by what is parsed: for one that is written to look otherwise here, its signature fits another account's secret.
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
 * The account of the first entry, where its id stands before its changes, as in all that the provider sends: enough to
 * look at the signature of what is small. Reads no further. Null where it is not found like that.
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

/** The account that a change names itself, as the event of a partner does; null where it does not. */
function readChange(json: JsonScanner): { account: string | null } | null {
  let field: string | null = null;
  let account: string | null = null;
  const isObject = json.object(['field', 'value'], (name) => {
    if (name === 'field') field = json.text();
    else json.object(['waba_info'], () => json.object(['waba_id'], () => (account = idText(json.text()))));
  });
  return isObject ? { account: field === 'account_update' ? account : null } : null;
}
