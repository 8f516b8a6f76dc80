import { randomUUID } from 'node:crypto';
import { callbackFields } from './callback-fields';
import { bodyFields, type Field, type HttpRequest } from './field';
import type { Stage } from './stage';

/** The fields of JSON bodies, by route. */
export const JSON_FIELDS: Readonly<Record<string, (stage: Stage) => Field[]>> = {
  'api/v3/bills/create/direct.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    return bodyFields('POST bills/create', bill, { kind: 'api body', request: (body) => create(body, stage) });
  },
  'api/v3/bills/validate/direct.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    const request = (body: string) => ({ ...create(body, stage), path: '/api/v3/bills/validate' });
    return bodyFields('POST bills/validate', bill, { kind: 'api body', request });
  },
  'api/v3/bills/bulk/direct.ts': (stage) => {
    const bill = { amount: 500, reference: 'FUZZED', mobile: '0712345006' };
    const request = (body: string) => ({ ...create(`{"bills":[${body}]}`, stage), path: '/api/v3/bills/bulk' });
    return bodyFields('POST bills/bulk', bill, { kind: 'bulk body', request });
  },
  // The bill is paid, so that every request is refused and none creates an attempt. So these fields have no `control` request: it would
  // have to succeed.
  'api/v3/bills/[id]/push/direct.ts': (stage) =>
    changeFields(stage, 'push', { mobile: '0712345006' }, stage.bills.paid).map(({ control: _, ...field }) => field),
  // The bill is not paid, so nothing can go back, and its shop may record only what is due.
  'api/v3/bills/[id]/refunds/direct.ts': (stage) => keyedFields(stage, 'refunds', { amount: 500, reason: 'FUZZED', payment: randomUUID() }),
  'api/v3/bills/[id]/payments/direct.ts': (stage) =>
    keyedFields(stage, 'payments', { amount: 500, kind: 'cash', slip: 'F1', note: 'FUZZED' }),
  'api/v3/bills/[id]/close/direct.ts': (stage) => changeFields(stage, 'close', { reason: 'FUZZED' }),
  'api/v3/bills/[id]/reopen/direct.ts': (stage) => changeFields(stage, 'reopen', { reason: 'FUZZED' }),
  'api/v3/sandbox/time/direct.ts': (stage) => {
    const request = (body: string) => ({ ...create(body, stage), path: '/api/v3/sandbox/time' });
    return bodyFields('POST sandbox/time', { advanceSeconds: 1, delayPercent: 100 }, { kind: 'api body', request });
  },
  'api/v2/devices/direct.ts': (stage) => counterFields(stage, 'devices', { token: stage.tokens.invitation, pin: '271828' }),
  'api/v2/session/direct.ts': (stage) => counterFields(stage, 'session', { login: '0712345006', device: 'FUZZED', pin: '271828' }),
  'api/v2/bills/direct.ts': (stage) =>
    counterFields(stage, 'bills', { id: randomUUID(), amount: 500, reference: 'FUZZED', mobile: '0712345006', confirmedAt: 1 }),
  'api/v2/bills/[id]/requests/direct.ts': (stage) =>
    counterFields(stage, `bills/${stage.bills.paid}/requests`, { id: randomUUID(), mobile: '0712345006' }),
  'api/v2/bills/[id]/cash/direct.ts': (stage) => counterFields(stage, `bills/${stage.bills.paid}/cash`, { id: randomUUID(), amount: 500 }),
  'api/v2/shift/close/direct.ts': (stage) => counterFields(stage, 'shift/close', { id: randomUUID(), counted: 500 }),
  'callbacks/[provider]/[token]/direct.ts': callbackFields,
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
  '(dashboard)/m/[merchant]/[environment]/counter/bills/cash/route.ts': (stage) => {
    const cash = { bill: stage.bills.paid, amount: '50000', form: randomUUID() };
    return bodyFields('POST counter/bills/cash', cash, {
      kind: 'script body',
      request: (body) => atCounter('bills/cash', body, stage),
    }).map(({ control: _, ...field }) => field);
  },
};

/** Returns the fields of the JSON bodies that change a bill. */
function changeFields(stage: Stage, action: string, body: Readonly<Record<string, string>>, bill = stage.bills.closed): Field[] {
  const path = `/api/v3/bills/${bill}/${action}`;
  return bodyFields(`POST bills/${action}`, body, { kind: 'api body', request: (text) => ({ ...create(text, stage), path }) });
}

/** Returns the fields of a request that needs an Idempotency-Key. Not each of them succeeds. */
function keyedFields(stage: Stage, action: string, body: Readonly<Record<string, string | number>>): Field[] {
  const path = `/api/v3/bills/${stage.bills.closed}/${action}`;
  const request = (text: string) => {
    const { headers, ...sent } = create(text, stage);
    return { ...sent, path, headers: { ...headers, 'idempotency-key': randomUUID() } };
  };
  return bodyFields(`POST bills/${action}`, body, { kind: 'api body', request }).map(({ control: _, ...field }) => field);
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

/** Returns the fields of a request of a cashier's application. Most are refused: an invitation, for example, can be accepted once. */
function counterFields(stage: Stage, path: string, body: Readonly<Record<string, string | number>>): Field[] {
  const headers = { host: `localhost:${stage.ports.sandbox}`, 'content-type': 'application/json', 'x-secret': stage.counterSecret };
  const request = (text: string): HttpRequest => ({ method: 'POST', path: `/api/v2/${path}`, environment: 'sandbox', headers, body: text });
  return bodyFields(`POST v2 ${path}`, body, { kind: 'api body', request }).map(({ control: _, ...field }) => field);
}

/** Returns the headers of a request with the merchant's key. */
export function apiHeaders({ apiKey, ports }: Stage): Record<string, string> {
  return { host: `localhost:${ports.sandbox}`, authorization: `ApiKey ${apiKey.id}:${apiKey.secret}` };
}

export function create(body: string, stage: Stage): HttpRequest {
  const headers = { ...apiHeaders(stage), 'content-type': 'application/json' };
  return { method: 'POST', path: '/api/v3/bills/create', environment: 'sandbox', headers, body };
}
