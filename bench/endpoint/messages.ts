/** The benchmark's requests to its endpoint: forget everything; tell what came since then. */
export type EndpointRequest = 'reset' | 'takings';

export interface EndpointTakings {
  /** Events by type, each once. */
  events: Record<string, number>;
  /** Events that came again. */
  repeated: number;
  /** Milliseconds from each event's record until it came. */
  delays: number[];
  /** Milliseconds since 1970 at which the last one came. */
  last: number;
}
