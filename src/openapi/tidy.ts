import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;
const PLACES = ['path', 'query', 'header'];

/** Adds what Swagger's decorators cannot say, and sorts, so that the order of loading classes does not show. */
export function tidy(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const operations = Object.values(document.paths).flatMap(operationsOf);
  const requested = new Set(operations.flatMap(({ requestBody }) => [...referencesOf(requestBody, schemas)]));
  const entries = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const operation of operations) {
    const { parameters = [] } = operation;
    parameters.sort(byPlace);
    parameters.forEach(moveExamples);
    nameScope(operation);
  }
  const { openapi, info, ...rest } = document;
  return {
    openapi,
    info,
    ...rest,
    components: {
      ...document.components,
      schemas: Object.fromEntries(
        entries.map(([name, schema]) => [name, requested.has(name) ? closed(schema) : schema]),
      ),
    },
  };
}

/** Swagger UI does not show what its security requirement asks for. */
function nameScope(operation: Operation): void {
  const [scope] = operation.security?.flatMap((requirement) => Object.values(requirement).flat()) ?? [];
  if (scope) operation.description = `${operation.description}\n\nThe API key needs the scope \`${scope}\`.`;
}

function operationsOf({ get, post, put, patch, delete: remove }: PathItem): Operation[] {
  return [get, post, put, patch, remove].filter((operation) => operation !== undefined);
}

/** The schemas that a part of the document refers to, directly or through others. */
function referencesOf(part: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(part) ?? '').matchAll(REFERENCE)) {
    if (found.has(name)) continue;
    found.add(name);
    referencesOf(schemas[name], schemas, found);
  }
  return found;
}

/** Requests with unknown fields are refused by RequestValidationPipe. Answers stay open: they may get more fields. */
function closed(schema: Schemas[string]): Schemas[string] {
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema;
}

/**
 * Moves examples to the parameter's schema, where Swagger UI only shows them. It would fill in the example of a
 * parameter, and nobody wants all filters at once.
 */
function moveExamples(parameter: Parameter): void {
  if ('$ref' in parameter || !Array.isArray(parameter.examples)) return;
  parameter.schema = { ...parameter.schema, examples: parameter.examples };
  delete parameter.examples;
}

/** Sorts parameters in the order in which one reads a request; required ones come first. */
function byPlace(a: Parameter, b: Parameter): number {
  if ('$ref' in a || '$ref' in b) return 0;
  return PLACES.indexOf(a.in) - PLACES.indexOf(b.in) || Number(b.required) - Number(a.required);
}
