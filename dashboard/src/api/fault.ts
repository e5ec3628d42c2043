import { strings } from '../strings';

/** One fault within a request, as the service lists it; `field` is its JSON path. */
export interface FaultDetail {
  field?: string;
  message?: string;
  [key: string]: unknown;
}

/** Everything that can go wrong with a call: an answer with an error envelope, or no answer at all (status 0). */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: FaultDetail[] = [],
    readonly requestId?: string,
    /** Seconds to wait before the next try. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Whether the service, or what it needs, is out, so that a later try may succeed. */
  get isUnreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  static unreachable(): ApiFault {
    return new ApiFault(0, 'UNREACHABLE', strings.common.unreachable);
  }
}

/** An error as a fault of a call. The error of a query may be anything, such as its cancellation. */
export function toFault(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error;
  return new ApiFault(0, 'UNEXPECTED', error instanceof Error ? error.message : strings.common.unexpected);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiFault && error.status === 404;
}

interface ErrorEnvelope {
  error?: { code?: string; message?: string; details?: FaultDetail[] };
  request_id?: string;
}

/** Reads a failed answer. Of one that is not ours, such as a proxy's HTML page, only the status is known. */
export function faultOf(status: number, body: string, retryAfter: string | null): ApiFault {
  const { error, request_id: requestId } = parse(body);
  return new ApiFault(
    status,
    error?.code ?? `HTTP_${status}`,
    error?.message ?? strings.common.unexpected,
    error?.details ?? [],
    requestId,
    retryAfter === null ? undefined : Number(retryAfter) || undefined,
  );
}

function parse(body: string): ErrorEnvelope {
  try {
    return (JSON.parse(body) ?? {}) as ErrorEnvelope;
  } catch {
    return {};
  }
}
