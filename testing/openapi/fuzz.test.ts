import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import { updateProfile } from '@/lib/identity/merchants/store';
import { makeMember, makeSession } from '../data/access';
import { pay } from '../data/paying';
import { testListener } from '../fakes/listener';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '../runtime';
import { describedApi } from './described-api';
import { answerJudge } from './judge-answer';
import { type FuzzedRequest, fuzzedRequests } from './requests';

/** `npm run test:fuzz -- --requests 100000` sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 600);
/** Requests that are sent at the same time. */
const AT_ONCE = 8;
const MS_PER_REQUEST = 20;
const SESSIONS = 20;

const runtime = testRuntime();
const origin = testListener(runtime);
const document = describedApi();
const judge = answerJudge(document);

interface Stage {
  readonly bills: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
  /** The secrets of sessions of cashiers. */
  readonly sessions: ReadonlyMap<string, string>;
}

/** Creates bills in several states, and keys of several kinds. */
async function setStage(): Promise<Stage> {
  const shop = await makeMerchant(runtime());
  const other = await makeMerchant(runtime());
  const suspended = await makeMerchant(runtime());
  await updateProfile(runtime().db, suspended.scope('sandbox'), { status: 'suspended' });
  const paid = await makeBill(runtime(), shop, { amount: 1000, mobile: '0712345678' });
  await pay(runtime(), paid, 100_000n);
  await updateProfile(runtime().db, shop.scope('sandbox'), { cashiersTakeCash: true });
  const cashier = await makeMember(runtime(), shop, 'collector');
  const sessions = new Map<string, string>();
  // The requests end some sessions.
  for (let index = 0; index < SESSIONS; index += 1) {
    sessions.set(`session ${index}`, await makeSession(runtime(), cashier, { onDevice: shop }));
  }
  const limits = { ...NO_LIMITS, scopes: ['read'] as const, billMax: null };
  return {
    sessions,
    bills: new Map(
      Object.entries({
        open: await makeBill(runtime(), shop),
        another: await makeBill(runtime(), shop, { mobile: '0712345678' }),
        paid,
        foreign: await makeBill(runtime(), other),
      }),
    ),
    keys: new Map(
      Object.entries({
        key: authorization(await shop.key('sandbox')),
        'another key': authorization(await shop.key('sandbox')),
        'key for reading': authorization(await limitedKey(shop, limits)),
        'key with limits': authorization(await limitedKey(shop, { ...NO_LIMITS, billMax: 50_000n, dayMax: 5_000_000n })),
        'suspended key': authorization(await suspended.key('sandbox')),
      }),
    ),
  };
}

async function limitedKey(shop: TestMerchant, limits: typeof NO_LIMITS) {
  const created = await createKey(runtime(), shop.operator('sandbox'), { label: 'limited', limits });
  if (!created.ok) throw new Error(created.error);
  return created.value;
}

function authorization({ id, secret }: { readonly id: string; readonly secret: string }): string {
  return `ApiKey ${id}:${secret}`;
}

async function send({ path: template, method, bill, query, headers, key, body }: FuzzedRequest, { bills, keys, sessions }: Stage) {
  const path = template.replace('{id}', () => encodeURIComponent((bills.get(bill) ?? bill).toWellFormed()) || '%20');
  const response = await fetch(`${origin()}${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`, {
    method,
    headers: { ...headers, authorization: keys.get(key) ?? key, 'x-secret': sessions.get(key) ?? key },
    body: body === null || method === 'GET' || method === 'HEAD' ? null : new Blob([body]),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test(`${REQUESTS} requests that are generated from the description get answers as described, and no 5xx`, {
  timeout: 60_000 + REQUESTS * MS_PER_REQUEST,
}, async () => {
  const stage = await setStage();
  const statuses = new Map<number, number>();
  const requests = fuzzedRequests(document, {
    bills: [...stage.bills.keys()],
    keys: [...stage.keys.keys()],
    sessions: [...stage.sessions.keys()],
  });
  const batch = fc.array(requests, { minLength: 1, maxLength: AT_ONCE, size: 'max' });
  let sent = 0;
  const property = fc.asyncProperty(batch, async (batched) => {
    const problems = await Promise.all(
      batched.map(async (request) => {
        const answer = await send(request, stage);
        sent += 1;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        return judge(request, answer);
      }),
    );
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });
  const seed = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };
  const numRuns = Math.ceil(REQUESTS / (AT_ONCE / 2));
  await fc.assert(property, { numRuns, ...seed });
  expect(sent).toBeGreaterThan(REQUESTS / 2);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 415]));
  if (process.env.FUZZ_REQUESTS !== undefined) console.log(`${sent} requests by status:`, Object.fromEntries([...statuses].sort()));
});
