/**
 * How many transactions of a worker hold a connection while they ask for another one: batches of webhooks, which look
 * up accounts and templates, and a step of a campaign, which accepts messages.
 */
export const NESTING = { webhookBatches: 2, campaignSteps: 1 } as const;

/** One for each of these transactions, and one more. With fewer, they would wait for one another. */
const LEAST_OF_WORKER = NESTING.webhookBatches + NESTING.campaignSteps + 1;

/** Why so few connections are a fault; null where they are none. */
export function poolFault(role: string, connections: number): string | null {
  if (role === 'api' || connections >= LEAST_OF_WORKER) return null;
  return (
    `DATABASE_POOL must be at least ${LEAST_OF_WORKER} for ROLE=${role}: a worker's transactions hold ` +
    `${LEAST_OF_WORKER - 1} connections while they ask for another; set more, or leave it out`
  );
}

/** Why the second address of the database means nothing; null when it does. */
export function directUrlFault(url: string | undefined, directUrl: string | undefined): string | null {
  if (directUrl === undefined || url !== undefined) return null;
  return 'DATABASE_DIRECT_URL is for a database behind a connection pooler: set DATABASE_URL as well';
}

/** Why the two servers cannot have these ports; null when they can. */
export function portFault(port: number, metricsPort: number | undefined): string | null {
  if (metricsPort === undefined || metricsPort === 0 || metricsPort !== port) return null;
  return 'METRICS_PORT must be another than PORT; leave it out to have /metrics on PORT';
}
