import { randomUUID } from 'node:crypto';
import { callbackFields } from './callback-fields';
import { bodyFields, type Field, type HttpRequest } from './field';
import type { Stage } from './stage';

/** The fields of JSON bodies, by route. */
export const JSON_FIELDS: Readonly<Record<string, (stage: Stage) => Field[]>> = {
  'api/v3/bills/create/route.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    return bodyFields('POST bills/create', bill, { kind: 'api body', request: (body) => create(body, stage) });
  },
  'api/v3/bills/validate/route.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    const request = (body: string) => ({ ...create(body, stage), path: '/api/v3/bills/validate' });
    return bodyFields('POST bills/validate', bill, { kind: 'api body', request });
  },
  'api/v3/bills/bulk/route.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    const request = (body: string) => ({ ...create(`{"bills":[${body}]}`, stage), path: '/api/v3/bills/bulk' });
    return bodyFields('POST bills/bulk', bill, { kind: 'bulk body', request });
  },
  // The bill is paid, so that every request is refused and none creates an attempt. So these fields have no `control` request: it would
  // have to succeed.
  'api/v3/bills/[id]/push/route.ts': (stage) =>
    changeFields(stage, 'push', { mobile: '0712345006' }, stage.bills.paid).map(({ control: _, ...field }) => field),
  'api/v3/bills/[id]/close/route.ts': (stage) => changeFields(stage, 'close', { reason: 'FUZZED' }),
  'api/v3/bills/[id]/reopen/route.ts': (stage) => changeFields(stage, 'reopen', { reason: 'FUZZED' }),
  'api/v3/sandbox/time/route.ts': (stage) => {
    const request = (body: string) => ({ ...create(body, stage), path: '/api/v3/sandbox/time' });
    return bodyFields('POST sandbox/time', { advanceSeconds: 1, delayPercent: 100 }, { kind: 'api body', request });
  },
  'callbacks/[provider]/[token]/route.ts': callbackFields,
  '(dashboard)/m/[merchant]/[environment]/counter/bills/route.ts': (stage) => {
    const bill = { id: randomUUID(), amount: '500', reference: 'FUZZED', mobile: '', prompt: false, confirmedAt: null };
    return bodyFields('POST counter/bills', bill, { kind: 'script body', request: (body) => atCounter('bills', body, stage) });
  },
  '(dashboard)/m/[merchant]/[environment]/counter/bills/again/route.ts': (stage) => {
    const again = { bill: stage.bills.paid, mobile: '0712345005', form: randomUUID() };
    return bodyFields('POST counter/bills/again', again, {
      kind: 'script body',
      request: (body) => atCounter('bills/again', body, stage),
    }).map(({ control: _, ...field }) => field);
  },
};

/** Returns the fields of the JSON bodies that change a bill. */
function changeFields(stage: Stage, action: string, body: Readonly<Record<string, string>>, bill = stage.bills.closed): Field[] {
  const path = `/api/v3/bills/${bill}/${action}`;
  return bodyFields(`POST bills/${action}`, body, { kind: 'api body', request: (text) => ({ ...create(text, stage), path }) });
}

function atCounter(path: string, body: string, stage: Stage): HttpRequest {
  return {
    method: 'POST',
    path: `/m/${stage.merchant.slug}/sandbox/counter/${path}`,
    environment: 'live',
    body,
    headers: {
      host: `localhost:${stage.ports.live}`,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: stage.sessions.owner,
    },
  };
}

/** Returns the headers of a request with the merchant's key. */
export function apiHeaders({ apiKey, ports }: Stage): Record<string, string> {
  return { host: `localhost:${ports.sandbox}`, authorization: `ApiKey ${apiKey.id}:${apiKey.secret}` };
}

export function create(body: string, stage: Stage): HttpRequest {
  const headers = { ...apiHeaders(stage), 'content-type': 'application/json' };
  return { method: 'POST', path: '/api/v3/bills/create', environment: 'sandbox', headers, body };
}
