import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';

interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Classes by which Node makes requests and responses that have all of Express' methods (`query`, `ip`, `status`, …) from
 * the start. Otherwise Express changes the prototype of each, which V8 punishes wherever the object is used after that.
 */
export function messageClassesOf(app: Express): MessageClasses {
  class ServiceRequest extends IncomingMessage {}
  class ServiceResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {
    /** @param options of Node's own, which its types do not know */
    constructor(request: Asked, options?: unknown) {
      super(...([request, options] as unknown as [Asked]));
      (request as unknown as Request).res = this as unknown as Response;
    }
  }
  Object.setPrototypeOf(ServiceRequest.prototype, app.request);
  Object.setPrototypeOf(ServiceResponse.prototype, app.response);
  // Express sets the prototypes that it finds here: now they are there already.
  app.request = ServiceRequest.prototype as unknown as Request;
  app.response = ServiceResponse.prototype as unknown as Response;
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}
