import {
  ATTEMPTS_EXAMPLE,
  attemptsSchema,
  PAYMENTS_EXAMPLE,
  paymentsSchema,
  readBillAttempts,
  readBillEvents,
  readBillPayments,
} from '@/lib/entry/api/bill-history';
import { INSTRUMENTS_EXAMPLE, instrumentsSchema, readBillInstruments } from '@/lib/entry/api/bill-instruments';
import { BILLS_QUERY_FAILURES, billsQuerySchema, billsSchema, listMerchantBills } from '@/lib/entry/api/list-merchant-bills';
import { REFUNDS_EXAMPLE, readBillRefunds, refundsSchema } from '@/lib/entry/api/refund-bill';
import { type ApiRoute, type ApiRuntime, apiRoute, NO_PARAMETERS } from '@/lib/entry/http/api';
import { NO_BODY } from '@/lib/entry/http/sent-request';
import { billJson, billSchema, OPEN_BILL_EXAMPLE, PAID_BILL_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { getBill } from '@/lib/gateway/bills/get-bill';
import { billPath } from '@/lib/gateway/bills/schema';
import { NETWORKS_EXAMPLE, networksSchema, readNetworks } from '@/lib/gateway/prompts/read-networks';
import {
  billEventsSchema,
  EVENT_EXAMPLE,
  FEED_QUERY_FAILURES,
  feedJson,
  feedQuerySchema,
  feedSchema,
} from '@/lib/gateway/webhooks/feed/feed-schema';
import { readFeed } from '@/lib/gateway/webhooks/feed/read-feed';
import { type KeyAccess, keyAccess } from '@/lib/identity/accounts/access/grant-access';
import { baseUrl } from '@/lib/platform/config/settings';
import type { Failure } from '@/lib/platform/core/failure';
import { ok, type Result } from '@/lib/platform/core/result';

export const getBillRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/bills/:id',
  summary: 'Get a bill',
  docs: {
    operationId: 'getBill',
    tag: 'Bills',
    description: `Returns a bill with its present status. Call it when a webhook arrives, before you hand over the goods. While a customer waits in
front of your page, you may call it every 5 seconds.`,
    example: { answer: PAID_BILL_EXAMPLE },
  },
  keyScope: 'read',
  whileSuspended: true,
  shares: () => true,
  params: billPath,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: billSchema,
  inputFailures: [],
  failures: ['bill_not_found'],
  async handler({ runtime, scope, key, params }) {
    const bill = await getBill(scope, params.id, (wanted) => runtime.readQueue.read(key.id, wanted));
    if (!bill.ok) return bill;
    return ok({ json: billJson(bill.value, baseUrl(runtime.settings, scope.environment)), about: { billId: bill.value.id } });
  },
});

export const listBillsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/bills',
  summary: 'List bills',
  docs: {
    operationId: 'listBills',
    tag: 'Bills',
    description: `Returns bills, newest first. Use it to find a bill whose answer you lost, by its reference. To follow payments, use webhooks or the
event feed: a bill that is paid does not move in this list.

While \`more\` is true, send \`cursor\` as \`after\` with the next request, and keep the other parameters the same. An answer may have fewer bills
than \`limit\`, even none, while \`more\` is true: one request reads at most 2,000 bills to find those of a filter. With \`from\` and \`to\` it reads only
the bills of that time.`,
    example: {
      query: { reference: 'ORDER-1', limit: 20 },
      answer: { bills: [OPEN_BILL_EXAMPLE], cursor: null, more: false },
    },
  },
  keyScope: 'read',
  whileSuspended: true,
  params: NO_PARAMETERS,
  query: billsQuerySchema,
  body: NO_BODY,
  response: billsSchema,
  inputFailures: BILLS_QUERY_FAILURES,
  failures: [],
  async handler({ runtime, scope, key, query }) {
    const page = await listMerchantBills(runtime, keyAccess(key, scope), query);
    if (!page.ok) throw new Error('an API key may read the bills of its merchant');
    const { bills, cursor } = page.value;
    const base = baseUrl(runtime.settings, scope.environment);
    const list = bills.map((bill) => billJson(bill, base)).join(',');
    return ok({ json: `{"bills":[${list}],"cursor":${JSON.stringify(cursor)},"more":${cursor !== null}}` });
  },
});

export const listBillPaymentsRoute = historyRoute({
  path: '/api/v3/bills/:id/payments',
  summary: 'List the payments of a bill',
  docs: {
    operationId: 'listBillPayments',
    tag: 'History',
    description: 'Returns what was booked on the bill, oldest first. The sum of the amounts is `paidAmount`.',
    example: { answer: PAYMENTS_EXAMPLE },
  },
  response: paymentsSchema,
  read: readBillPayments,
});

export const listBillRefundsRoute = historyRoute({
  path: '/api/v3/bills/:id/refunds',
  summary: 'List the refunds of a bill',
  docs: {
    operationId: 'listBillRefunds',
    tag: 'Refunds',
    description: 'Returns the refunds of the bill in their present states, newest first.',
    example: { answer: REFUNDS_EXAMPLE },
  },
  response: refundsSchema,
  read: readBillRefunds,
});

export const listBillInstrumentsRoute = historyRoute({
  path: '/api/v3/bills/:id/instruments',
  summary: 'List the payment instruments of a bill',
  docs: {
    operationId: 'listBillInstruments',
    tag: 'Instruments',
    description: `Returns the numbers, QR codes and links of the bill, also those that have ended, the oldest first. Show only those that are \`ACTIVE\`,
and read the list again before you show them later: they end when the bill changes.`,
    example: { answer: INSTRUMENTS_EXAMPLE },
  },
  response: instrumentsSchema,
  read: readBillInstruments,
});

export const listBillAttemptsRoute = historyRoute({
  path: '/api/v3/bills/:id/attempts',
  summary: 'List the payment requests of a bill',
  docs: {
    operationId: 'listBillAttempts',
    tag: 'History',
    description: 'Returns the payment requests that were sent to phones for the bill, oldest first.',
    example: { answer: ATTEMPTS_EXAMPLE },
  },
  response: attemptsSchema,
  read: readBillAttempts,
});

export const listBillEventsRoute = historyRoute({
  path: '/api/v3/bills/:id/events',
  summary: 'List the events of a bill',
  docs: {
    operationId: 'listBillEvents',
    tag: 'History',
    description: 'Returns the events of the bill in order, up to 1,000. Each has the body of the webhook that reports it.',
    example: { answer: { events: [EVENT_EXAMPLE] } },
  },
  response: billEventsSchema,
  read: readBillEvents,
});

interface HistoryRoute extends Pick<ApiRoute, 'path' | 'summary' | 'docs' | 'response'> {
  /** Returns the part of a bill's history that the route answers with, for example its attempts, as JSON text. */
  readonly read: (runtime: ApiRuntime, access: KeyAccess, billId: string) => Promise<Result<string, Failure<'bill_not_found'>>>;
}

/** Declares a route that reads one part of the history of a bill. */
function historyRoute({ read, ...facts }: HistoryRoute) {
  return apiRoute({
    ...facts,
    method: 'GET',
    keyScope: 'read',
    whileSuspended: true,
    params: billPath,
    query: NO_PARAMETERS,
    body: NO_BODY,
    inputFailures: [],
    failures: ['bill_not_found'],
    async handler({ runtime, scope, key, params }) {
      const json = await read(runtime, keyAccess(key, scope), params.id);
      return json.ok ? ok({ json: json.value, about: { billId: params.id } }) : json;
    },
  });
}

export const listEventsRoute = apiRoute({
  method: 'GET',
  path: '/api/v3/events',
  summary: 'Read the event feed',
  docs: {
    operationId: 'listEvents',
    tag: 'Events',
    description: `Returns the events of all bills, for a server that cannot receive webhooks. Begin without \`after\`. Process the events, then store the
\`cursor\` of the answer, and send it as \`after\` with the next request. If \`more\` is true, send the next request at once.

Each event appears once, and the events of one bill are in order.`,
    example: { query: { after: '0', limit: 100 }, answer: { events: [EVENT_EXAMPLE], cursor: '17', more: false } },
  },
  keyScope: 'events',
  whileSuspended: true,
  params: NO_PARAMETERS,
  query: feedQuerySchema,
  body: NO_BODY,
  response: feedSchema,
  inputFailures: FEED_QUERY_FAILURES,
  failures: ['after_invalid'],
  async handler({ runtime, scope, query }) {
    const page = await readFeed(runtime, scope, query);
    return page.ok ? ok({ json: feedJson(page.value) }) : page;
  },
});

export const listNetworksRoute = apiRoute({
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
