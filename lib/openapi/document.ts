import { baseUrl, type Settings } from '@/lib/config/settings';
import type { Environment } from '@/lib/core/scope';
import type { ApiRoute } from '@/lib/http/api';
import { API_TAGS } from '@/lib/http/route-docs';
import { HEADERS } from './headers';
import { describeRoute, SECURITY_SCHEME, unwrap } from './operation';
import { createSchemaComponents } from './schemas';
import { OPENAPI_PATH, selfOperation } from './self-operation';
import type { OpenApiDocument } from './types';
import { describeWebhook } from './webhook';

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
  readonly routes: readonly ApiRoute[];
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
        [...paths].map(([path, all]) => [
          path,
          Object.fromEntries(all.map(({ route, operation }) => [route.method === 'GET' ? 'get' : 'post', operation])),
        ]),
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
      },
      schemas: schemas.all(),
      headers: HEADERS,
    },
  };
}
