import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The public document, from the controllers and DTO classes. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Template Messaging Service')
    .setVersion('1')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'An API key: tms_ and 40 characters' },
      'api_key',
    )
    .build();
  return SwaggerModule.createDocument(app, config);
}

/** Serves the document at /docs-json and its page at /docs. */
export function setUpDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => buildDocument(app), { jsonDocumentUrl: 'docs-json' });
}
