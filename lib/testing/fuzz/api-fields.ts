import { callbackSchema } from '@/lib/providers/mpesa/wire';
import { reportSchema, SIGNATURE_HEADER, signCallback } from '@/lib/providers/sandbox/wire';
import { inJson, plain } from './encodings';
import type { Field, HttpRequest } from './field';
import type { Stage } from './stage';

/** The members of JSON bodies, by route. */
export const JSON_FIELDS: Readonly<Record<string, (stage: Stage) => Field[]>> = {
  'api/v3/bills/create/route.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    return bodyFields('POST bills/create', bill, { kind: 'api body', request: (body) => create(body, stage) });
  },
  'callbacks/[provider]/[token]/route.ts': (stage) => [
    ...callbackFields('sandbox', Object.keys(reportSchema.shape), stage),
    ...callbackFields('mpesa', Object.keys(callbackSchema.shape), stage),
  ],
};

/** Returns the headers of a request with the merchant's key. */
export function apiHeaders({ apiKey, ports }: Stage): Record<string, string> {
  return { host: `localhost:${ports.sandbox}`, authorization: `ApiKey ${apiKey.id}:${apiKey.secret}` };
}

export function create(body: string, stage: Stage): HttpRequest {
  const headers = { ...apiHeaders(stage), 'content-type': 'application/json' };
  return { method: 'POST', path: '/api/v3/bills/create', environment: 'sandbox', headers, body };
}

function callbackFields(provider: keyof Stage['callbacks'], members: readonly string[], stage: Stage): Field[] {
  const key = stage.runtime.secrets.key('sandbox-provider');
  return bodyFields(`callback of ${provider}`, Object.fromEntries(members.map((name) => [name, null])), {
    kind: 'callback',
    request: (body) => ({
      method: 'POST',
      path: stage.callbacks[provider],
      environment: 'sandbox',
      headers: { host: `localhost:${stage.ports.sandbox}`, [SIGNATURE_HEADER]: signCallback(key, body) },
      body,
    }),
  });
}

/** Returns each member as a string and as another value, and the body as a whole. */
function bodyFields(where: string, good: Readonly<Record<string, unknown>>, to: Pick<Field, 'kind' | 'request'>): Field[] {
  return [
    { ...to, name: `${where}: the body`, encode: plain, control: () => to.request(JSON.stringify(good)) },
    ...Object.keys(good).flatMap((name, at) => {
      const { [name]: _, ...rest } = good;
      const around = JSON.stringify(rest).slice(1, -1);
      const body = (value: string) => to.request(`{${around}${around && ','}"${name}":${value}}`);
      const text: Field = {
        ...to,
        name: `${where}: ${name}`,
        encode: inJson,
        again: `","${name}":"`,
        ...(at === 0 && { other: (n: number) => `","a${n}":"b` }),
        request: (encoded) => body(`"${encoded}"`),
      };
      return [text, { ...to, name: `${where}: ${name} (no string)`, encode: plain, json: true, request: body }];
    }),
  ];
}
