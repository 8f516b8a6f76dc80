import type { Settings } from '@/lib/config/settings';
import { errorResponses } from './errors';
import type { SchemaComponents } from './schemas';
import type { Header, Operation } from './types';

export const OPENAPI_PATH = '/api/v3/openapi.json';

function required(description: string, value?: string): Header {
  return { description, required: true, schema: { type: 'string', ...(value !== undefined && { const: value }) } };
}

const HEADERS = {
  ETag: required('The version of the description, for `If-None-Match`.'),
  'Cache-Control': required('How long it may be reused.'),
  'Access-Control-Allow-Origin': required('Every website may read it.', '*'),
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
};

/** Returns the operation by which clients get the API description. Its route is not among the declared routes, because it needs no key. */
export function selfOperation(settings: Settings, schemas: SchemaComponents): Operation {
  return {
    operationId: 'getOpenApi',
    tags: ['Description'],
    summary: 'Get this description',
    description: 'Returns the OpenAPI description of this installation. Public: it needs no key, and every website may read it.',
    security: [],
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'The `ETag` of the description that you have.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'The description.',
        headers: HEADERS,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
              required: ['openapi', 'info', 'paths'],
              additionalProperties: true,
            },
          },
        },
      },
      304: { description: 'The description has not changed since the one that `If-None-Match` names.', headers: HEADERS },
      ...errorResponses({ codes: ['base_address_unknown', 'too_many_requests'], scope: null, settings, schemas }),
    },
  };
}
