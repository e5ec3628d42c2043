import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '../common/clock.js';
import { VERSION } from '../common/project.js';
import { API_KEY_SCHEME } from './api-docs.js';
import { DESCRIPTION, TAGS } from './texts.js';
import { tidy } from './tidy.js';
import { withFreshSchedule } from './schedule.js';

/** The public document, from the controllers and DTO classes: what `openapi.json` and `/docs-json` hold. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Template Messaging Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'The service that serves this document')
    .addSecurity(API_KEY_SCHEME, {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key: `tms_` and 40 characters. The embedded default prints one when it starts.',
    });
  for (const [name, description] of Object.entries(TAGS)) config.addTag(name, description);
  return tidy(SwaggerModule.createDocument(app, config.build()));
}

/** Serves the document at /docs-json and its page at /docs. */
export function setUpDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => buildDocument(app), {
    jsonDocumentUrl: 'docs-json',
    raw: ['json'],
    customSiteTitle: 'Template Messaging Service: API',
    customCss: '.swagger-ui .topbar { display: none }',
    patchDocumentOnRequest: (request, _response, document) =>
      (request as Request).path === '/docs-json'
        ? document
        : withFreshSchedule(document, app.get(Clock).now()),
    swaggerOptions: {
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
    },
  });
}
