import { type Response, Router, json } from 'express';
import { addAccountRoutes } from './account-routes.js';
import type { GraphParts } from './graph-parts.js';
import type { SandboxFault } from './sandbox-control.js';
import { isReadMark } from './send-request.js';
import { addTemplateRoutes } from './template-routes.js';
import type { Timers } from './timers.js';

const DEFAULT_FAULT_DELAY = 3000;

/** The Graph API's routes for messages, templates and numbers, beneath `/{version}`. */
export function graphRoutes(parts: GraphParts): Router {
  const router = Router({ mergeParams: true });
  router.use(json({ limit: '1mb' }));
  addSendRoute(router, parts);
  addTemplateRoutes(router, parts);
  addAccountRoutes(router, parts);
  return router;
}

function addSendRoute(router: Router, { access, sending, control, timers }: GraphParts): void {
  router.post('/:id/messages', async (request, response) => {
    const { fault } = control;
    if (fault.mode === 'slow') {
      await new Promise<void>((resolve) => timers.after(fault.delay ?? DEFAULT_FAULT_DELAY, resolve));
    } else if (fault.mode !== 'none') {
      fail(response, fault);
      return;
    }
    const { account, number } = access.number(request, request.params.id);
    if (isReadMark(request.body)) {
      response.json({ success: true });
      return;
    }
    const outcome = sending.send(account, number, request.body);
    if (outcome.kind === 'answer') answerAfter(timers, outcome.delay, () => response.json(outcome.body));
    else if (outcome.kind === 'bare_status') response.status(outcome.status).end();
    else if (outcome.kind === 'drop') request.socket.destroy();
    // Silence: the request stays open until its caller gives up or the sandbox stops.
  });
}

function answerAfter(timers: Timers, delay: number, answer: () => void): void {
  if (delay > 0) timers.after(delay, answer);
  else answer();
}

function fail(response: Response, { mode }: SandboxFault): void {
  if (mode === 'error_500') response.status(500).end();
  if (mode === 'drop') response.socket?.destroy();
}
