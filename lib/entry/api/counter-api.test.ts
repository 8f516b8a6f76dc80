import { beforeEach, describe, expect, test } from 'vitest';
import { showShift } from '@/lib/backoffice/counter/show-shift';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { grantAccess } from '@/lib/identity/accounts/access/grant-access';
import { PINS_MAX } from '@/lib/identity/accounts/cashier-rules';
import { inviteCashier, revokeDevice } from '@/lib/identity/accounts/team/manage-cashiers';
import { changeRole } from '@/lib/identity/accounts/team/team';
import { updateProfile } from '@/lib/identity/merchants/store';
import { DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { isRecord } from '@/lib/platform/core/is-record';
import { accessOf, joinAs, makeMember, makeSession } from '@/testing/data/access';
import { pay } from '@/testing/data/paying';
import { testListener } from '@/testing/fakes/listener';
import { answerChecker } from '@/testing/openapi/check-answer';
import { describedApi, operationsOf } from '@/testing/openapi/described-api';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const origin = testListener(runtime);
const document = describedApi();
const operations = operationsOf(document).filter(({ operation }) => operation.tags.includes('Internal'));
const problemsOf = answerChecker(document);
const succeeded = new Set<string>();
const PIN = '271828';
const MOBILE = '0712345001';

let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
  for (const environment of ['live', 'sandbox'] as const) {
    await updateProfile(runtime().db, shop.scope(environment), { cashiersTakeCash: true });
  }
});

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly body: Record<string, unknown>;
}

/** Sends a request, and checks that the description of the API allows the answer. */
async function call(method: string, path: string, { secret, body }: { secret?: string; body?: object } = {}): Promise<Answer> {
  const response = await fetch(`${origin()}/api/v2/${path}`, {
    method,
    headers: { ...(secret !== undefined && { 'x-secret': secret }), ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  const pattern = `/api/v2/${path.replace(/^bills\/[^/]+/, 'bills/{id}')}`;
  const described = operations.find((one) => one.method === method && one.path === pattern);
  if (!described) throw new Error(`${method} ${pattern} is not described`);
  expect(problemsOf(described.operation, { status: response.status, headers: response.headers, text })).toEqual([]);
  if (response.status === 200) succeeded.add(described.operation.operationId);
  const parsed: unknown = JSON.parse(text);
  return { status: response.status, code: response.headers.get('bili-error'), body: isRecord(parsed) ? parsed : {} };
}

async function invitation(mobile = MOBILE): Promise<string> {
  const invited = await inviteCashier(runtime(), await accessOf(runtime(), shop, shop.email), { name: 'Asha Juma', mobile });
  if (!invited.ok) throw new Error(invited.error);
  return invited.value.link.split('/').at(-1) ?? '';
}

async function join(mobile?: string) {
  const { status, body } = await call('POST', 'devices', { body: { token: await invitation(mobile), pin: PIN } });
  expect(status).toBe(200);
  return { secret: String(body.secret), device: String(body.device) };
}

const signIn = (device: string, { pin = PIN, login = MOBILE } = {}) => call('POST', 'session', { body: { login, device, pin } });
const entered = (more: object = {}) => ({ id: newId(runtime()), amount: 5000, ...more });
const now = () => runtime().clock().getTime();

/** An application of a cashier. It keeps the bills that it could not send, and sends them again with their ids. */
function application(secret: string) {
  const waiting: ReturnType<typeof entered>[] = [];
  let online = true;
  const send = async () => {
    const answers = [];
    for (const bill of online ? waiting.splice(0) : []) answers.push(await call('POST', 'bills', { secret, body: bill }));
    return answers;
  };
  return {
    go: (state: 'online' | 'offline') => {
      online = state === 'online';
      return send();
    },
    enter: (more?: object) => {
      waiting.push(entered(more));
      return send();
    },
  };
}

test('an application works a whole shift, which the dashboard shows too', async () => {
  const joined = await join();
  const again = await signIn(joined.device);
  const secret = String(again.body.secret);
  expect((await call('GET', 'shift', { secret })).body).toEqual({ shift: null, takesCash: true });
  expect((await call('GET', 'bills', { secret })).body).toEqual({ bills: [] });

  const app = application(secret);
  const [first] = await app.enter({ mobile: MOBILE, confirmedAt: now() });
  expect(first?.body).toMatchObject({ status: 'NOT_PAID', state: 'waiting', mobile: MOBILE, amount: 5000, cashDue: 5000 });
  await app.go('offline');
  expect(await app.enter({ amount: 700.5, reference: 'SODA' })).toEqual([]);
  const [offline] = await app.go('online');
  expect(offline?.body).toMatchObject({ reference: 'SODA', state: 'open', remainingAmount: 700.5, cashDue: 701 });
  const repeated = entered({ amount: 300 });
  const twice = await Promise.all([1, 2, 3].map(() => call('POST', 'bills', { secret, body: repeated })));
  expect(new Set(twice.map(({ body }) => body.id)).size).toBe(1);

  await pay(runtime(), String(first?.body.id), 500_000n);
  expect((await call('GET', `bills/${first?.body.id}`, { secret })).body).toMatchObject({ state: 'paid', status: 'FULLY_PAID' });
  const cash = { id: newId(runtime()), amount: 701 };
  for (let time = 0; time < 2; time += 1) {
    const taken = await call('POST', `bills/${offline?.body.id}/cash`, { secret, body: cash });
    expect(taken.body).toMatchObject({ state: 'paid', cashAmount: 701 });
  }
  const asked = { id: newId(runtime()), mobile: '0754345001' };
  for (let time = 0; time < 2; time += 1) {
    expect((await call('POST', `bills/${twice[0]?.body.id}/requests`, { secret, body: asked })).body.state).toBe('waiting');
  }

  expect((await call('GET', 'bills', { secret })).body.bills).toHaveLength(3);
  const { shift } = (await call('GET', 'shift', { secret })).body;
  expect(shift).toMatchObject({ bills: 3, paid: 2, amount: 6000.5, receivedAmount: 5701, cashAmount: 701 });
  const id = isRecord(shift) ? String(shift.id) : '';
  expect((await call('POST', 'shift/close', { secret, body: { id } })).code).toBe('count_invalid');
  const closed = await call('POST', 'shift/close', { secret, body: { id, counted: 700 } });
  expect(closed.body).toMatchObject({ id, bills: 3, expectedCash: 701, countedCash: 700 });
  expect((await call('POST', 'shift/close', { secret, body: { id } })).body).toEqual(closed.body);
  const late = { id: newId(runtime()), amount: 300 };
  expect((await call('POST', `bills/${twice[0]?.body.id}/cash`, { secret, body: late })).code).toBe('shift_closed');

  const owner = await accessOf(runtime(), shop, shop.email);
  expect(await showShift(runtime(), owner, id)).toMatchObject({
    shift: { cashier: 'Asha Juma', expectedCash: 70_100n, countedCash: 70_000n },
    sum: { bills: 3, paidAmount: 570_100n },
  });
  expect((await verifyLedger(runtime().db)).filter(({ count }) => count > 0)).toEqual([]);
  const actions = await runtime().db.prisma.auditEntry.findMany({ where: { merchantId: shop.merchant.id }, select: { action: true } });
  expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['cashier.joined', 'bill.created', 'shift.closed']));

  expect((await call('DELETE', 'session', { secret })).body).toEqual({});
  expect((await call('GET', 'shift', { secret })).code).toBe('session_invalid');
  expect([...succeeded].sort()).toEqual(operations.map(({ operation }) => operation.operationId).sort());
});

describe('an invitation', () => {
  test('is accepted once, with a good pin', async () => {
    const token = await invitation();
    const pins = ['123456', '12345', '', undefined, 271828];
    for (const pin of pins) expect((await call('POST', 'devices', { body: { token, pin } })).code).toBe('pin_invalid');
    expect((await call('POST', 'devices', { body: { token, pin: PIN } })).status).toBe(200);
    for (const used of [token, 'x', '', undefined]) {
      expect(await call('POST', 'devices', { body: { token: used, pin: PIN } })).toMatchObject({ status: 401, code: 'invitation_invalid' });
    }
  });
});

describe('a device', () => {
  test('is locked after too many wrong pins, which ends its sessions', async () => {
    const { device, secret } = await join();
    expect((await signIn(device, { pin: '91827' })).code).toBe('pin_invalid');
    const codes = [];
    for (let time = 0; time <= PINS_MAX; time += 1) codes.push((await signIn(device, { pin: '918273' })).code);
    expect(codes).toEqual(['pin_wrong', 'pin_wrong', 'pin_wrong', 'pin_wrong', 'device_locked', expect.stringMatching(/locked|requests/)]);
    expect((await call('GET', 'shift', { secret })).code).toBe('session_invalid');
  });

  test('needs its own secret and login', async () => {
    const { device } = await join();
    const { device: other } = await join('0754345009');
    expect((await signIn(device, { login: `${MOBILE}/${shop.merchant.slug}` })).status).toBe(200);
    const refused = [
      await signIn('x'),
      await signIn(other),
      await signIn(device, { login: '0754345009' }),
      await signIn(device, { login: '' }),
    ];
    expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [401, 'device_invalid']));
  });

  test('that was revoked, or whose cashier was removed, is refused at once', async () => {
    const [first, second] = [await join(), await join('0754345009')];
    const owner = await accessOf(runtime(), shop, shop.email);
    const devices = await runtime().db.prisma.cashierDevice.findMany({
      where: { merchantId: shop.merchant.id },
      orderBy: { createdAt: 'asc' },
    });
    const [known, removed] = devices;
    if (!known || !removed) throw new Error('there are two devices');
    expect(await revokeDevice(runtime(), owner, known.id)).toMatchObject({ ok: true });
    expect(await changeRole(runtime(), owner, { userId: removed.userId, role: null })).toMatchObject({ ok: true });
    for (const { secret, device } of [first, second]) {
      expect((await call('GET', 'bills', { secret })).code).toBe('session_invalid');
      expect((await signIn(device)).code).toBe('device_invalid');
    }
  });
});

describe('a session', () => {
  test('reaches its own bills only', async () => {
    const [{ secret }, { secret: colleague }] = [await join(), await join('0754345009')];
    const { body } = await call('POST', 'bills', { secret: colleague, body: entered() });
    const elsewhere = await makeMerchant(runtime());
    const strangers = [body.id, await makeBill(runtime(), shop), await makeBill(runtime(), elsewhere), newId(runtime()), 'x'];
    for (const id of strangers) {
      const { id: form } = entered();
      const answers = [
        await call('GET', `bills/${id}`, { secret }),
        await call('POST', `bills/${id}/requests`, { secret, body: { id: form, mobile: MOBILE } }),
        await call('POST', `bills/${id}/cash`, { secret, body: { id: form, amount: 1 } }),
      ];
      expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'bill_not_found'));
    }
    expect((await call('GET', 'bills', { secret })).body).toEqual({ bills: [] });
    const theirs = await call('GET', 'shift', { secret: colleague });
    const shift = isRecord(theirs.body.shift) ? theirs.body.shift.id : '';
    expect((await call('POST', 'shift/close', { secret, body: { id: shift } })).code).toBe('shift_not_found');
  });

  test.each(operations.filter(({ operation }) => operation.security?.length !== 0).map((one) => [one.operation.operationId, one] as const))(
    'is needed for %s',
    async (_id, { method, path }) => {
      const browser = await makeSession(runtime(), await makeMember(runtime(), shop, 'owner'));
      for (const secret of [undefined, '', 'x', browser]) {
        const answer = await call(method, path.replace('/api/v2/', '').replace('{id}', newId(runtime())), {
          ...(secret !== undefined && { secret }),
          ...(method === 'POST' && { body: entered() }),
        });
        expect(answer).toMatchObject({ status: 401, code: 'session_invalid' });
      }
    },
  );

  test('ends with its time, and is not changed by the role of somebody else', async () => {
    const { secret } = await join();
    runtime().advance(DAY_MS);
    expect((await call('GET', 'shift', { secret })).code).toBe('session_invalid');
  });

  test('of a viewer may not use the counter', async () => {
    const viewer = await makeMember(runtime(), shop, 'viewer');
    const secret = await makeSession(runtime(), viewer, { onDevice: shop });
    for (const path of ['bills', 'shift']) expect((await call('GET', path, { secret })).code).toBe('not_allowed');
    expect((await call('POST', 'bills', { secret, body: entered() })).code).toBe('not_allowed');
  });

  test('belongs to one environment for each base address', async () => {
    const { secret } = await join();
    const { body } = await call('POST', 'bills', { secret, body: entered() });
    const bill = await runtime().db.prisma.bill.findUniqueOrThrow({ where: { id: String(body.id) } });
    expect(bill).toMatchObject({ environment: 'sandbox', merchantId: shop.merchant.id });
    const live = await grantAccess(runtime(), { token: secret, merchant: null, environment: 'live' });
    expect(live).toMatchObject({ ok: true, value: { scope: { environment: 'live' } } });
    await updateProfile(runtime().db, shop.scope('sandbox'), { status: 'pending' });
    expect((await call('GET', 'shift', { secret })).code).toBe('profile_not_found');
  });
});

describe('a bill', () => {
  test.each([
    [{ id: 'x' }, 'id_invalid'],
    [{ id: undefined }, 'id_invalid'],
    [{ amount: undefined }, 'amount_required'],
    [{ amount: '5000' }, 'amount_not_number'],
    [{ amount: 0 }, 'amount_not_positive'],
    [{ amount: 1.234 }, 'amount_too_precise'],
    [{ amount: 1e15 }, 'amount_too_large'],
    [{ reference: ' ' }, 'reference_required'],
    [{ reference: 'x'.repeat(256) }, 'reference_too_long'],
    [{ mobile: 'x' }, 'mobile_invalid'],
    [{ confirmedAt: 'now' }, 'confirmed_at_invalid'],
    [{ mobile: MOBILE }, 'entry_stale'],
    [{ mobile: MOBILE, confirmedAt: 1e300 }, 'entry_stale'],
  ])('with %j is refused with %s, and creates nothing', async (wrong, code) => {
    const { secret } = await join();
    expect((await call('POST', 'bills', { secret, body: entered(wrong) })).code).toBe(code);
    expect((await call('GET', 'bills', { secret })).body).toEqual({ bills: [] });
  });

  test('that waited too long is not sent to a phone, and with a new confirmation it is', async () => {
    const { secret } = await join();
    const bill = entered({ mobile: MOBILE, confirmedAt: now() });
    runtime().advance(5 * MINUTE_MS);
    expect((await call('POST', 'bills', { secret, body: bill })).code).toBe('entry_stale');
    expect((await call('POST', 'bills', { secret, body: { ...bill, confirmedAt: now() } })).body.state).toBe('waiting');
  });

  test('gets cash only if the merchant allows it, and not more than is left', async () => {
    const { secret } = await join();
    const { body } = await call('POST', 'bills', { secret, body: entered() });
    const take = (amount: number, id = newId(runtime())) => call('POST', `bills/${body.id}/cash`, { secret, body: { id, amount } });
    expect((await take(5001)).code).toBe('cash_too_much');
    const id = newId(runtime());
    expect((await take(1000, id)).body).toMatchObject({ state: 'part', cashDue: 4000 });
    expect((await take(2000, id)).code).toBe('id_used');
    await updateProfile(runtime().db, shop.scope('sandbox'), { cashiersTakeCash: false });
    expect((await take(4000)).code).toBe('not_allowed');
    expect((await call('GET', 'shift', { secret })).body.takesCash).toBe(false);
  });

  test('is refused while the merchant is suspended, but the shift can be closed', async () => {
    const { secret } = await join();
    await call('POST', 'bills', { secret, body: entered() });
    await updateProfile(runtime().db, shop.scope('sandbox'), { status: 'suspended' });
    expect((await call('POST', 'bills', { secret, body: entered() })).code).toBe('profile_not_found');
    const { shift } = (await call('GET', 'shift', { secret })).body;
    expect((await call('POST', 'shift/close', { secret, body: { id: isRecord(shift) ? shift.id : '' } })).status).toBe(200);
  });
});

test('an owner uses the same interface on a device of their own merchant', async () => {
  const owner = await joinAs(runtime(), shop, 'owner');
  const secret = await makeSession(runtime(), owner.user.email, { onDevice: shop });
  expect((await call('POST', 'bills', { secret, body: entered() })).status).toBe(200);
});

test.each(['bill', 'devices/x', 'session/x', 'shift/open', 'bills/1/refunds', ''])('/api/v2/%s is gone', async (path) => {
  const response = await fetch(`${origin()}/api/v2/${path}`, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('bili-error')]).toEqual([410, 'version_gone']);
});
