import type { Request } from 'express';
import { GraphError, unknownObject } from './graph-error.js';
import type { SandboxNumber, SandboxState, StoredAccount, TemplateRecord } from './sandbox-state.js';

/** Finds the objects that paths name, among those that the caller's token may see. */
export class GraphAccess {
  constructor(private readonly state: SandboxState) {}

  /** The accounts of the caller's token. Throws 190 when there is no token, or it is wrong or revoked. */
  accounts(request: Request): StoredAccount[] {
    const token = tokenOf(request);
    const accounts = [...this.state.accounts.values()].filter(
      ({ accessToken, revoked }) => accessToken === token && !revoked,
    );
    if (accounts.length > 0) return accounts;
    throw new GraphError(190, 'The access token is missing, wrong, expired or revoked.');
  }

  /** The business account with that id. Throws 100 when there is none, or when it is another token's. */
  account(request: Request, wabaId: string): StoredAccount {
    return found(
      this.accounts(request).find((account) => account.wabaId === wabaId),
      wabaId,
    );
  }

  number(request: Request, id: string): { account: StoredAccount; number: SandboxNumber } {
    for (const account of this.accounts(request)) {
      const number = account.numbers.find(({ phoneNumberId }) => phoneNumberId === id);
      if (number) return { account, number };
    }
    throw unknownObject(id);
  }

  app(request: Request, appId: string): StoredAccount {
    return found(
      this.accounts(request).find((account) => account.appId === appId),
      appId,
    );
  }

  template(request: Request, id: string): TemplateRecord | undefined {
    const record = this.state.templates.get(id);
    const isTheirs = this.accounts(request).some(({ wabaId }) => wabaId === record?.wabaId);
    return isTheirs ? record : undefined;
  }
}

/**
 * The provider documents the scheme `OAuth` for uploads and `Bearer` for everything else. Both are taken; without the
 * header, also a token in the query.
 */
function tokenOf(request: Request): string | undefined {
  const header = request.get('authorization');
  if (header !== undefined) return /^(?:Bearer|OAuth) +(\S+)$/i.exec(header)?.[1];
  const { access_token: token } = request.query;
  return typeof token === 'string' ? token : undefined;
}

function found<T>(object: T | undefined, id: string): T {
  if (object === undefined) throw unknownObject(id);
  return object;
}
