import type { z } from 'zod';
import { API_TAGS, type DescribedRoute } from '@/lib/entry/http/api';
import { SECRET_HEADER } from '@/lib/entry/http/counter-api';
import { WEBHOOK_EXAMPLE, webhookSchema } from '@/lib/gateway/webhooks/feed/feed-schema';
import { baseUrl, type Settings } from '@/lib/platform/config/settings';
import type { Environment } from '@/lib/platform/core/scope';
import { errorResponses } from './errors';
import { COMMON_HEADERS, HEADERS, REQUEST_ID, successHeaders } from './headers';
import { createSchemaComponents, type SchemaComponents } from './schemas';
import type { Header, OpenApiDocument, Operation, Parameter } from './types';

const INTRODUCTION = `Bili creates bills in Tanzanian shillings, asks customers' phones to pay them by mobile money, and reports payments by signed
webhook.

**Environments.** Live and sandbox have the same operations. They differ in the base address and in the keys. In the sandbox no money moves.

**Authentication.** Send \`Authorization: ApiKey <key>:<secret>\` with every request. Keep the secret on your server.

**Amounts.** JSON numbers in shillings. Answers always write a decimal point (\`5000.0\`), and at most two decimals.

**Times.** Unix milliseconds.

**Errors.** The body has exactly one member, \`error\`. Programs use the header \`Bili-Error\`, whose codes do not change within this version. Another
method than those described here is refused with 405, an unknown path with 404. Requests that are not valid HTTP or have too large headers are refused
with 400 or 431.

**Request ids.** Every answer has an \`X-Request-Id\`. Give it to the operator of Bili when you ask about a request. You can choose it: send your own
\`X-Request-Id\`.

**Compatibility.** Answers may get more members, headers and values of reasons: ignore those that you do not know. Unknown members and query
parameters of requests are ignored, and named in \`Bili-Ignored\`.`;

interface DescribedApi {
  readonly routes: readonly DescribedRoute[];
  /** The settings give the base addresses and the largest amount. */
  readonly settings: Settings;
  /** The version of Bili. */
  readonly version: string;
  /** The environment that serves the description. Its base address comes first, because many tools use the first one. Live by default. */
  readonly environment?: Environment;
}

/** Returns the OpenAPI 3.1 description of the API. It is generated from the declarations of the routes, so it contains every new route. */
export function openApiDocument({ routes, settings, version, environment = 'live' }: DescribedApi): OpenApiDocument {
  const schemas = createSchemaComponents();
  const described = routes.map((route) => ({ route, operation: describeRoute(route, { settings, schemas }) }));
  const paths = Map.groupBy(described, ({ route }) => route.path.replace(/:(\w+)/g, '{$1}'));
  const live = { url: baseUrl(settings, 'live').origin, description: 'Live' };
  const sandbox = { url: baseUrl(settings, 'sandbox').origin, description: 'Sandbox' };
  const docs = `${live.url}/docs`;
  const webhooks = { billStatusChanged: { post: describeWebhook(schemas) } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bili API',
      version,
      summary: 'Bill payments by mobile money in Tanzania.',
      description: unwrap(INTRODUCTION),
      contact: { name: settings.OPERATOR_NAME ?? 'The operator of this installation', url: docs },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: docs, description: 'Guides and explanations of every error.' },
    servers: environment === 'live' ? [live, sandbox] : [sandbox, live],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: Object.entries(API_TAGS).map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(
        [...paths].map(([path, all]) => [path, Object.fromEntries(all.map(({ route, operation }) => [METHODS[route.method], operation]))]),
      ),
      [OPENAPI_PATH]: { get: selfOperation(settings, schemas) },
    },
    webhooks,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The value is `ApiKey <key>:<secret>`. A key belongs to one merchant and one environment, and can be limited to scopes.',
        },
        [SESSION_SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: SECRET_HEADER,
          description: 'The secret of a session of a cashier.',
        },
      },
      schemas: schemas.all(),
      headers: HEADERS,
    },
  };
}

const MEBIBYTE = 1024 * 1024;
const SECURITY_SCHEME = 'ApiKey';
const SESSION_SCHEME = 'Session';
const METHODS = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;
const SECURITY = { apiKey: [{ [SECURITY_SCHEME]: [] }], session: [{ [SESSION_SCHEME]: [] }], none: [] } as const;

interface Context {
  readonly settings: Settings;
  readonly schemas: SchemaComponents;
}

/** Returns the operation of a declared route. */
function describeRoute(route: DescribedRoute, { settings, schemas }: Context): Operation {
  const { docs, summary, params, query, body, response, failures, keyScope, auth } = route;
  const { example } = docs;
  const title = docs.operationId.charAt(0).toUpperCase() + docs.operationId.slice(1);
  const bodySchema = body.schema?.(settings);
  const scope = keyScope === null ? '' : `\n\nThe key needs the scope \`${keyScope}\`.`;
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary,
    description: unwrap(docs.description) + scope,
    security: SECURITY[auth],
    ...(keyScope !== null && { 'x-scopes': [keyScope] }),
    parameters: [
      ...parametersOf(schemas, params, 'path'),
      ...parametersOf(schemas, query, 'query', example.query),
      ...parametersOf(schemas, body.headers, 'header'),
      ...(auth === 'apiKey' ? COMMON_HEADERS : [REQUEST_ID]),
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
function unwrap(markdown: string): string {
  return markdown.replace(/(?<!\n)\n(?!\n|\d+\. )/g, ' ');
}

const OPENAPI_PATH = '/api/v3/openapi.json';

function required(description: string, value?: string): Header {
  return { description, required: true, schema: { type: 'string', ...(value !== undefined && { const: value }) } };
}

const SELF_HEADERS = {
  ETag: required('The version of the description, for `If-None-Match`.'),
  'Cache-Control': required('How long it may be reused.'),
  'Access-Control-Allow-Origin': required('Every website may read it.', '*'),
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
};

/** Returns the operation by which clients get the API description. Its route is not among the declared routes, because it needs no key. */
function selfOperation(settings: Settings, schemas: SchemaComponents): Operation {
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
        headers: SELF_HEADERS,
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
      304: { description: 'The description has not changed since the one that `If-None-Match` names.', headers: SELF_HEADERS },
      ...errorResponses({ codes: ['base_address_unknown', 'too_many_requests'], scope: null, settings, schemas }),
    },
  };
}

const WEBHOOK_DESCRIPTION = `Bili sends this request to the address of your webhook endpoint whenever the status of a bill changes.

1. Verify \`webhook-signature\` over the raw body, as Standard Webhooks describes: an HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`
with your signing secret. Refuse a request whose timestamp is more than 5 minutes from now.
2. Answer 2xx within 15 seconds, and do slow work afterwards.
3. Get the bill through the API, and act on its status. The same webhook can come more than once.

The webhooks of one bill come in order. A webhook that is not acknowledged is sent again with growing pauses, for about seven days.`;

function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

/** Returns the description of the webhook, as an operation of the receiver. */
function describeWebhook(schemas: SchemaComponents): Operation {
  return {
    operationId: 'billStatusChanged',
    tags: ['Events'],
    summary: 'The status of a bill changed',
    description: unwrap(WEBHOOK_DESCRIPTION),
    security: [],
    parameters: [
      header(
        'webhook-id',
        'The id of the webhook. It stays the same when the webhook is sent again.',
        'msg_01a1fb0f-ebe9-7000-8000-d4e5f6a1b2c3',
      ),
      header('webhook-timestamp', 'When this request was sent, Unix seconds.', '1795213487'),
      header(
        'webhook-signature',
        'One or more signatures, separated by spaces. One of them must match.',
        'v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=',
      ),
      header('User-Agent', 'The sender.', 'Bili-Webhooks/1'),
    ],
    requestBody: {
      description: 'The bill after the change.',
      required: true,
      content: {
        'application/json': { schema: schemas.add(webhookSchema, { io: 'output', name: 'Webhook' }), example: WEBHOOK_EXAMPLE },
      },
    },
    responses: {
      '2XX': { description: 'You have received the webhook. Bili ignores the body of your answer.' },
      410: { description: 'You want no more webhooks. Bili disables the endpoint until somebody resumes it.' },
      '4XX': {
        description: 'A failure: Bili sends the webhook again. After 429 with `Retry-After`, it waits at least that long, up to a day.',
      },
      '5XX': {
        description: 'A failure: Bili sends the webhook again. After 503 with `Retry-After`, it waits at least that long, up to a day.',
      },
    },
  };
}
