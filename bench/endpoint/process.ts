/**
 * An endpoint of the benchmark's tenant, for events: it takes all that comes, answers at once, and remembers how old each
 * event was. Below /hang it never answers.
 */
import { readJson, serve, tellParent } from '../child.js';
import type { EndpointRequest, EndpointTakings } from './messages.js';

const ids = new Set<string>();
let takings = nothing();

function nothing(): EndpointTakings {
  return { events: {}, repeated: 0, delays: [], last: 0 };
}

function take({ events }: { events: { id: string; type: string; recorded_at: string }[] }): void {
  const now = Date.now();
  for (const { id, type, recorded_at } of events) {
    if (ids.has(id)) {
      takings.repeated += 1;
      continue;
    }
    ids.add(id);
    takings.events[type] = (takings.events[type] ?? 0) + 1;
    takings.delays.push(now - Date.parse(recorded_at));
    takings.last = now;
  }
}

serve((request, response) => {
  if (request.url === '/hang') return void request.resume();
  readJson(request, (body) => {
    take(body as Parameters<typeof take>[0]);
    response.writeHead(204).end();
  });
});

process.on('message', (request: EndpointRequest) => {
  tellParent(takings);
  if (request === 'reset') {
    ids.clear();
    takings = nothing();
  }
});
