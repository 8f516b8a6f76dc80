import { createBill } from '@/lib/bills/create/create-bill';
import { getBill } from '@/lib/bills/get-bill';
import { billJson, parseNewBill } from '@/lib/bills/schema';
import { baseUrl } from '@/lib/config/settings';
import { fail, ok } from '@/lib/core/result';
import { apiHandler } from '@/lib/http/answer-api';
import { apiRoute } from '@/lib/http/api';
import { everyMethod } from '@/lib/http/route-module';
import { webRuntime } from '@/lib/server/web-runtime';
import { feedJson, parseFeedQuery } from '@/lib/webhooks/feed/feed-schema';
import { readFeed } from '@/lib/webhooks/feed/read-feed';

const create = apiRoute({
  method: 'POST',
  path: 'bills/create',
  whileSuspended: false,
  input: {
    exactMember: 'amount',
    check({ members: { amount, reference, mobile }, numberText: amountText }, { settings }) {
      const bill = parseNewBill({ amount, amountText, reference, mobile }, settings.MAX_BILL_AMOUNT);
      return bill.ok ? bill : fail({ code: bill.error, detail: String(settings.MAX_BILL_AMOUNT) });
    },
  },
  async handler({ runtime, scope, key, input: bill, idempotencyKey, leaveLine }) {
    const options = { scope, bill, createdBy: `key:${key.id}`, uniqueReferences: key.uniqueReferences, idempotencyKey, key };
    const created = await createBill(runtime, { ...options, onWait: leaveLine });
    if (!created.ok) return created;
    const { json, replayed, billId, ourReference } = created.value;
    const about = { billId, ourReference };
    return ok(replayed ? { json, about, headers: { 'idempotency-replayed': 'true' } } : { json, about });
  },
});

const get = apiRoute({
  method: 'GET',
  path: 'bills/:id',
  whileSuspended: true,
  input: null,
  async handler({ runtime, scope, params }) {
    const bill = await getBill(runtime, scope, params.id ?? '');
    if (!bill.ok) return bill;
    return ok({ json: billJson(bill.value, baseUrl(runtime.settings, scope.environment)), about: { billId: bill.value.id } });
  },
});

const events = apiRoute({
  method: 'GET',
  path: 'events',
  whileSuspended: true,
  input: {
    checkQuery(parameters) {
      const query = parseFeedQuery(parameters);
      return query.ok ? query : fail({ code: query.error });
    },
  },
  async handler({ runtime, scope, input: query }) {
    const page = await readFeed(runtime, scope, query);
    return page.ok ? ok({ json: feedJson(page.value) }) : page;
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(apiHandler('/api/v3', [create, get, events], webRuntime));
