import { type Request, type Response, Router, text } from 'express';
import { eventsPage } from './events-page.js';
import type { GraphParts } from './graph-parts.js';

/** Bytes of a request: events are at most 100. */
const LIMIT = '4mb';

/** Where endpoints of the service push events, and the page that shows them. */
export function eventRoutes({ pushed, clock }: Pick<GraphParts, 'pushed' | 'clock'>): Router {
  const router = Router();
  router.get('/events', (_request, response) => {
    response.type('html').send(eventsPage(pushed, clock));
  });
  router.get('/events.json', (_request, response) => {
    response.json({ answer: pushed.answer, pushes: pushed.list() });
  });
  router.post('/events', text({ type: () => true, limit: LIMIT }), (request: Request, response: Response) => {
    const header = (name: string) => request.get(name)?.slice(0, 500) ?? '';
    const headers = {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    };
    const answer = pushed.receive(headers, String(request.body ?? ''));
    if (answer === 'hang') return;
    response.status(STATUS[answer]).json({});
  });
  return router;
}

const STATUS = { ok: 200, error_500: 500, refused: 401 };
