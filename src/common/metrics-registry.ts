import { Registry } from 'prom-client';

/** Where every module registers its metrics; `/metrics` shows them. One for each application, not for the process. */
export class MetricsRegistry extends Registry {}
