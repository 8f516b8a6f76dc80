import { ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute, NO_PARAMETERS } from '@/lib/http/api';
import { NO_BODY } from '@/lib/http/api-body';
import { everyMethod } from '@/lib/http/route-module';
import { NETWORKS_EXAMPLE, networksSchema, readNetworks } from '@/lib/payments/prompts/read-networks';
import { webRuntime } from '@/lib/server/web-runtime';

const listNetworksRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/networks',
  summary: 'List the mobile networks',
  docs: {
    operationId: 'listNetworks',
    tag: 'Networks',
    description: `Tells whose customers can pay now. Show it before you send a payment request. The answer may change within seconds: do not keep it
longer than a minute.`,
    example: { answer: NETWORKS_EXAMPLE },
  },
  keyScope: null,
  whileSuspended: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: networksSchema,
  inputFailures: [],
  failures: [],
  handler: async ({ runtime, scope }) => ok({ json: JSON.stringify(await readNetworks(runtime, scope)) }),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler(listNetworksRoute, webRuntime));
