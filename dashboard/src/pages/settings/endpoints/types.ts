export interface Endpoint {
  webhook_endpoint_id: string;
  url: string;
  types: string[] | null;
  description: string | null;
  enabled: boolean;
  disabled_at: string | null;
  succeeded_at: string | null;
  failing_since: string | null;
  next_try_at: string | null;
  created_at: string;
}

/** One request with events to an endpoint. */
export interface Delivery {
  attempted_at: string;
  delivered: boolean;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  events: number;
  last_cursor: string;
}

/** What an endpoint has answered to a test. */
export interface EndpointTest {
  delivered: boolean;
  error: string | null;
  duration_ms: number;
}
