import { beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { type Mobile, parseMobile } from '@/lib/core/mobile';
import { TEST_OPERATOR, testRuntime } from '@/lib/testing/runtime';
import { allowNumber } from './allow-number';
import { blockNumber } from './block-number';
import { requestRefusal } from './request-refusal';
import { MOST_REQUESTS, newCode } from './rules';
import { isRefused, listRefusals } from './store';

const runtime = testRuntime({ DATABASE_POOL_SIZE: '12' });
const environment = 'live';
const actor = TEST_OPERATOR;
let made = 0;
let mobile: Mobile;

function numbered(n: number): Mobile {
  const number = parseMobile(`0714${String(n).padStart(6, '0')}`);
  if (number === null) throw new Error('that is a number');
  return number;
}
beforeEach(() => {
  made += 1;
  mobile = numbered(made);
});

const request = (of: Mobile, holder: string | null = `10.0.0.${made}`) =>
  requestRefusal(runtime(), { environment, mobile: of, reason: 'not mine', holder });

async function codeOf(of: Mobile): Promise<string> {
  const asked = await request(of);
  if (asked.kind !== 'requested') throw new Error(asked.kind);
  return asked.code;
}
const block = (code: string | null) => blockNumber(runtime(), { environment, mobile, code, reason: null, actor });
const refused = (of: Mobile) => isRefused(runtime().db, { environment, mobile: of });

test('a request changes nothing until the operator has confirmed it, by its code', async () => {
  const code = await codeOf(mobile);
  expect(await refused(mobile)).toBe(false);
  expect(await block(code === '000000' ? '000001' : '000000')).toEqual({ ok: false, error: 'code_wrong' });
  expect(await refused(mobile)).toBe(false);
  expect(await block(code)).toMatchObject({ ok: true });
  expect(await refused(mobile)).toBe(true);
  expect(await isRefused(runtime().db, { environment: 'sandbox', mobile })).toBe(false);
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
    { actor: actor.name, action: 'number.blocked', environment, data: { mobile, byCode: true, reason: null } },
    { actor: actor.name, action: 'number.allowed', environment, data: { mobile, previous: 'ACTIVE' } },
  ]);
});

test('who asks again, or for the same number from elsewhere, spoils nobody the code', async () => {
  const code = await codeOf(mobile);
  const answers = await Promise.all(Array.from({ length: 10 }, () => request(mobile, null)));
  expect(new Set(answers.map((answer) => answer.kind === 'requested' && answer.code))).toEqual(new Set([code]));
});

test('many who ask first at once make one request', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => request(mobile)));
  expect(new Set(answers.map((answer) => answer.kind === 'requested' && answer.code)).size).toBe(1);
});

test('a code is of use for a week; then the page gives a new one', async () => {
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

test('the operator blocks a number without a code, and turns a request down', async () => {
  expect(await block('123456')).toEqual({ ok: false, error: 'not_requested' });
  expect(await block(null)).toMatchObject({ ok: true });
  expect(await refused(mobile)).toBe(true);
  mobile = numbered(900_000);
  await codeOf(mobile);
  expect(await allowNumber(runtime(), { environment, mobile, actor })).toBe('REQUESTED');
  expect(await request(mobile)).toMatchObject({ kind: 'requested' });
});

test('one holder names so many numbers in a day, and no more', async () => {
  runtime().advance(DAY_MS + MINUTE_MS);
  const kinds: string[] = [];
  for (let n = 0; n <= MOST_REQUESTS; n += 1) kinds.push((await request(numbered(1_000 + n), '10.9.9.9')).kind);
  expect(kinds.indexOf('too_many')).toBe(MOST_REQUESTS);
  expect((await request(numbered(5_000), '10.9.9.8')).kind).toBe('requested');
  runtime().advance(DAY_MS + MINUTE_MS);
  expect((await request(numbered(5_001), '10.9.9.9')).kind).toBe('requested');
});

test('codes have six digits, whatever chance says', () => {
  expect([newCode(new Uint8Array(4)), newCode(new Uint8Array([255, 255, 255, 255])), newCode(new Uint8Array([0, 15, 66, 65]))]).toEqual([
    '000000',
    '967295',
    '000001',
  ]);
});
