import { callbackFields } from './callback-fields';
import { bodyFields, type Field, type HttpRequest } from './field';
import type { Stage } from './stage';

/** The members of JSON bodies, by route. */
export const JSON_FIELDS: Readonly<Record<string, (stage: Stage) => Field[]>> = {
  'api/v3/bills/create/route.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    return bodyFields('POST bills/create', bill, { kind: 'api body', request: (body) => create(body, stage) });
  },
  'callbacks/[provider]/[token]/route.ts': callbackFields,
};

/** Returns the headers of a request with the merchant's key. */
export function apiHeaders({ apiKey, ports }: Stage): Record<string, string> {
  return { host: `localhost:${ports.sandbox}`, authorization: `ApiKey ${apiKey.id}:${apiKey.secret}` };
}

export function create(body: string, stage: Stage): HttpRequest {
  const headers = { ...apiHeaders(stage), 'content-type': 'application/json' };
  return { method: 'POST', path: '/api/v3/bills/create', environment: 'sandbox', headers, body };
}
