import { type Request, type Response, Router } from 'express';
import { GraphError } from './graph-error.js';
import type { GraphParts } from './graph-parts.js';
import { inboxPage } from './inbox-page.js';
import type { SandboxMessage, SandboxState } from './sandbox-state.js';

const SHOWN_ON_PAGE = 200;

/** The messages that were taken, for people and for tests: `?to=` (any spelling) and `?limit=`, newest first. */
export function inboxRoutes({ state, clock }: Pick<GraphParts, 'state' | 'clock'>): Router {
  const router = Router();
  const asJson = (request: Request, response: Response) => {
    response.json({ messages: select(state, request) });
  };
  const asPage = (request: Request, response: Response) => {
    const shown = select(state, request, SHOWN_ON_PAGE);
    response.type('html').send(inboxPage(shown, state.messages().length, state, clock, phoneOf(request)));
  };
  router.get('/inbox.json', asJson);
  router.get('/inbox', (request, response) => {
    response.vary('accept');
    if (request.accepts(['html', 'json']) === 'json') asJson(request, response);
    else asPage(request, response);
  });
  router.delete('/inbox', (_request, response) => {
    response.json({ deleted: state.clearMessages() });
  });
  return router;
}

/** The digits of the phone that was asked for. A "+" in a query string arrives as a space. */
function phoneOf({ query }: Request): string | undefined {
  return typeof query.to === 'string' ? query.to.replace(/\D/g, '') || undefined : undefined;
}

function select(state: SandboxState, request: Request, most = Infinity): SandboxMessage[] {
  const { limit: asked } = request.query;
  const limit = asked === undefined ? most : limitOf(asked);
  const to = phoneOf(request);
  const matching = to ? state.messages().filter((message) => message.to === to) : state.messages();
  return matching.slice(0, limit);
}

function limitOf(limit: unknown): number {
  if (typeof limit === 'string' && /^\d{1,6}$/.test(limit)) return Number(limit);
  throw new GraphError(100, 'limit must be a whole number.');
}
