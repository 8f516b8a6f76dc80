import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { allowNumber, blockNumber } from './block-number';
import { requestRefusal } from './request-refusal';
import { MAX_REQUESTS, newCode } from './rules';
import { listRefusals } from './store';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '12' });
const environment = 'live';
const actor = TEST_OPERATOR;
let made = 0;
let mobile: Mobile;

function numbered(n: number): Mobile {
  const number = parseMobile(`0714${String(n).padStart(6, '0')}`);
  if (number === null) throw new Error('not a valid number');
  return number;
}
beforeEach(() => {
  made += 1;
  mobile = numbered(made);
});

const request = (of: Mobile, holder: string | null = `10.0.0.${made}`) =>
  requestRefusal(runtime(), { environment, mobile: of, reason: 'not mine', holder });

async function codeOf(of: Mobile): Promise<string> {
  const requested = await request(of);
  if (requested.kind !== 'requested') throw new Error(requested.kind);
  return requested.code;
}
const block = (code: string | null) => blockNumber(runtime(), { environment, mobile, code, reason: null, actor });
const refused = async (of: string, where: 'live' | 'sandbox' = environment) =>
  (await runtime().db.prisma.promptRefusal.count({ where: { environment: where, mobile: of, state: 'ACTIVE' } })) > 0;

test('a number is blocked only after the operator has confirmed the request by its code', async () => {
  const code = await codeOf(mobile);
  expect(await refused(mobile)).toBe(false);
  expect(await block(code === '000000' ? '000001' : '000000')).toEqual({ ok: false, error: 'code_wrong' });
  expect(await refused(mobile)).toBe(false);
  expect(await block(code)).toMatchObject({ ok: true });
  expect(await refused(mobile)).toBe(true);
  expect(await refused(mobile, 'sandbox')).toBe(false);
  expect(await request(mobile)).toEqual({ kind: 'active' });
  expect(await block(code)).toEqual({ ok: false, error: 'already_blocked' });

  expect(await allowNumber(runtime(), { environment, mobile, actor })).toBe('ACTIVE');
  expect(await refused(mobile)).toBe(false);
  expect(await allowNumber(runtime(), { environment, mobile, actor })).toBeNull();
  expect(
    await runtime().db.query({
      text: `SELECT e.actor, e.action, e.environment, e.data FROM audit_entry e JOIN prompt_refusal r ON r.id::text = e.subject WHERE r.mobile = '${mobile}' ORDER BY e.id`,
    }),
  ).toEqual([
    { actor: actor.name, action: 'number.blocked', environment, data: { byCode: true, reason: null } },
    { actor: actor.name, action: 'number.allowed', environment, data: { previous: 'ACTIVE' } },
  ]);
});

test('a second request for the same number, also from another address, does not change the code', async () => {
  const code = await codeOf(mobile);
  const answers = await Promise.all(Array.from({ length: 10 }, () => request(mobile, null)));
  expect(new Set(answers.map((answer) => answer.kind === 'requested' && answer.code))).toEqual(new Set([code]));
});

test('parallel first requests for a number create one refusal', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => request(mobile)));
  expect(new Set(answers.map((answer) => answer.kind === 'requested' && answer.code)).size).toBe(1);
});

test('a code is valid for a week, and then the page shows a new one', async () => {
  const code = await codeOf(mobile);
  runtime().advance(7 * DAY_MS);
  expect(await block(code)).toEqual({ ok: false, error: 'code_expired' });
  const open = async () =>
    (await listRefusals(runtime().db, { environment, all: false, expired: new Date(runtime().clock().getTime() - 7 * DAY_MS) })).filter(
      (one) => one.mobile === mobile,
    );
  expect(await open()).toEqual([]);
  const renewed = await codeOf(mobile);
  expect(await open()).toMatchObject([{ code: renewed, state: 'REQUESTED' }]);
  expect(await block(renewed)).toMatchObject({ ok: true });
});

test('the operator can block a number without a code, and reject a request', async () => {
  expect(await block('123456')).toEqual({ ok: false, error: 'not_requested' });
  expect(await block(null)).toMatchObject({ ok: true });
  expect(await refused(mobile)).toBe(true);
  mobile = numbered(900_000);
  await codeOf(mobile);
  expect(await allowNumber(runtime(), { environment, mobile, actor })).toBe('REQUESTED');
  expect(await request(mobile)).toMatchObject({ kind: 'requested' });
});

test('one address can request a limited number of refusals per day', async () => {
  runtime().advance(DAY_MS + MINUTE_MS);
  const kinds: string[] = [];
  for (let n = 0; n <= MAX_REQUESTS; n += 1) kinds.push((await request(numbered(1_000 + n), '10.9.9.9')).kind);
  expect(kinds.indexOf('too_many')).toBe(MAX_REQUESTS);
  expect((await request(numbered(5_000), '10.9.9.8')).kind).toBe('requested');
  runtime().advance(DAY_MS + MINUTE_MS);
  expect((await request(numbered(5_001), '10.9.9.9')).kind).toBe('requested');
});

test('codes always have six digits', () => {
  expect([newCode(new Uint8Array(4)), newCode(new Uint8Array([255, 255, 255, 255])), newCode(new Uint8Array([0, 15, 66, 65]))]).toEqual([
    '000000',
    '967295',
    '000001',
  ]);
});
