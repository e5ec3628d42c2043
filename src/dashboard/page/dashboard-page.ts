import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { ApiError } from '../../common/errors.js';
import { PROJECT_ROOT } from '../../common/project.js';

const YEAR = '1y';

/** Media of templates may come from any host; everything else comes from this service. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "media-src 'self' blob: http: https:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const leadToDashboard = (_request: Request, response: Response) => response.redirect('/dashboard');

/**
 * Serves the built page under /dashboard; every path other than an asset's is a view of the page. The service's root
 * address redirects there.
 */
export function serveDashboard(app: NestExpressApplication): void {
  (app.getHttpAdapter().getInstance() as Express).get('/', leadToDashboard);
  const folder = join(PROJECT_ROOT, 'dist', 'dashboard');
  // Immutable, as the names of assets carry a hash of their content.
  const assets = express.static(join(folder, 'assets'), { immutable: true, maxAge: YEAR, redirect: false });
  app.use('/dashboard/assets', assets, missing);
  app.use('/dashboard', (request: Request, response: Response, next: NextFunction) => {
    if (/^\/api(\/|$)/.test(request.path) || request.method !== 'GET') return next();
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile('index.html', { root: folder }, (error) => {
      if (error) next(new ApiError('NOT_FOUND', 'The dashboard is not built: run "npm run build".'));
    });
  });
}

function missing(_request: Request, _response: Response, next: NextFunction): void {
  next(new ApiError('NOT_FOUND', 'There is no such file; reload the page, it may be of an older version.'));
}
