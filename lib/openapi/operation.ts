import type { z } from 'zod';
import type { Settings } from '@/lib/config/settings';
import type { ApiRoute } from '@/lib/http/api';
import { errorResponses } from './errors';
import { COMMON_HEADERS, successHeaders } from './headers';
import type { SchemaComponents } from './schemas';
import type { Operation, Parameter } from './types';

const MEBIBYTE = 1024 * 1024;
export const SECURITY_SCHEME = 'ApiKey';

interface Context {
  readonly settings: Settings;
  readonly schemas: SchemaComponents;
}

/** Returns the operation of a declared route. */
export function describeRoute(route: ApiRoute, { settings, schemas }: Context): Operation {
  const { docs, summary, params, query, body, response, failures, keyScope } = route;
  const { example } = docs;
  const title = docs.operationId.charAt(0).toUpperCase() + docs.operationId.slice(1);
  const bodySchema = body.schema?.(settings);
  const scope = keyScope === null ? '' : `\n\nThe key needs the scope \`${keyScope}\`.`;
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary,
    description: unwrap(docs.description) + scope,
    security: [{ [SECURITY_SCHEME]: [] }],
    ...(keyScope !== null && { 'x-scopes': [keyScope] }),
    parameters: [
      ...parametersOf(schemas, params, 'path'),
      ...parametersOf(schemas, query, 'query', example.query),
      ...parametersOf(schemas, body.headers, 'header'),
      ...COMMON_HEADERS,
    ],
    ...(bodySchema && {
      requestBody: {
        description: `A JSON object of at most ${sizeText(body.maxBytes)}. Unknown members are ignored.${body.required ? '' : ' The body may be empty.'}`,
        required: body.required,
        content: {
          'application/json': { schema: schemas.add(bodySchema, { io: 'input', name: `${title}Request` }), example: example.body ?? {} },
        },
      },
    }),
    responses: {
      200: {
        description: 'The request succeeded.',
        headers: successHeaders(route),
        content: {
          'application/json': { schema: schemas.add(response, { io: 'output', name: `${title}Response` }), example: example.answer },
        },
      },
      ...errorResponses({ codes: failures, scope: keyScope, settings, schemas }),
    },
  };
}

/** Returns the parameters of one kind, for example of the query. Descriptions and examples are taken from the schemas of the parameters. */
function parametersOf(
  schemas: SchemaComponents,
  declared: z.ZodObject,
  kind: Parameter['in'],
  values: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  return Object.entries(schemas.members(declared)).map(([name, { description = '', examples = [], ...schema }]) => {
    const example = values[name] ?? examples[0];
    const style = schema.type === 'object' && ({ style: 'deepObject' } as const);
    return { name, in: kind, required: kind === 'path', description, ...style, schema, ...(example !== undefined && { example }) };
  });
}

function sizeText(bytes: number): string {
  return bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`;
}

/** Writes each paragraph and each item of a list on one line. */
export function unwrap(markdown: string): string {
  return markdown.replace(/(?<!\n)\n(?!\n|\d+\. )/g, ' ');
}
