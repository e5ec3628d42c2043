/** What the calls need to know of the service under test. */
export interface World {
  url: string;
  apiKey: string;
  messagingAccountId: string;
  /** Where a webhook endpoint of the tenant may be. */
  endpointUrl: string;
}

/** A request that the client has made, and its answer. */
export interface Made {
  /** As `GET /api/v1/templates`. */
  operation: string;
  status: number;
}

/** How an operation is called with success, and with an error of this code. */
export interface Call {
  success: () => Promise<void>;
  error: () => Promise<{ error?: { error: { code: string } } }>;
  code: string;
}
