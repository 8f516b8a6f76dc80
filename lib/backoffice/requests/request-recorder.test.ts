import { expect, test } from 'vitest';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { createRequestRecorder } from './request-recorder';
import { type AnsweredRequest, PER_SECOND, WAITING_MAX } from './rules';

const runtime = testRuntime();

const request = (merchantId: string, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  scope: { merchantId, environment: 'live' },
  at: runtime().clock(),
  keyId: 'key',
  requestId: 'request',
  method: 'POST',
  path: '/api/v3/bills/create',
  status: 200,
  ms: 1.25,
  code: null,
  refusal: null,
  address: null,
  headers: {},
  body: Buffer.from('{"mobile":"0712345001"}'),
  answerHeaders: {},
  answer: '{"mobile":"0712345001"}',
  billId: null,
  replay: null,
  ...more,
});

test('records a limited number of requests per second, of each merchant and kind', async () => {
  const recorder = createRequestRecorder(runtime());
  const [one, other] = [
    { merchantId: 'one', environment: 'live' },
    { merchantId: 'other', environment: 'live' },
  ] as const;
  const second = () => Math.floor(performance.now() / 1_000);
  // The counts begin again with each second, so the loop runs again if a new second began during the loop.
  let started: number;
  let accepted: number;
  do {
    started = second();
    accepted = Array.from({ length: 100 }, () => recorder.accepts(one, 'served')).filter(Boolean).length;
  } while (second() !== started);
  expect(accepted).toBe(PER_SECOND.served);
  expect([recorder.accepts(other, 'served'), recorder.accepts(one, 'refused')]).toEqual([true, true]);
});

test('never stores phone numbers of live, and keeps no more in memory than its limit', async () => {
  const { merchant } = await makeMerchant(runtime());
  const recorder = createRequestRecorder(runtime());
  for (let sent = 0; sent < WAITING_MAX + 5; sent += 1) recorder.add(request(merchant.id));
  await recorder.flush();
  const rows = await runtime().db.prisma.apiRequest.findMany({ where: { merchantId: merchant.id } });
  expect(rows).toHaveLength(WAITING_MAX);
  expect(Buffer.from(rows[0]?.body ?? []).toString()).toBe('{"mobile":"0*** *** 001"}');
  expect(rows[0]).toMatchObject({ answer: '{"mobile":"0*** *** 001"}', complete: false, durationUs: 1_250 });
});

test('drops requests that cannot be written, and goes on', async () => {
  const recorder = createRequestRecorder(runtime());
  const { merchant } = await makeMerchant(runtime());
  recorder.add(request('not a uuid'));
  await recorder.flush();
  recorder.add(request(merchant.id, { path: '/api/v3/\u0000', answer: '\ud800' }));
  await recorder.flush();
  expect(await runtime().db.prisma.apiRequest.count({ where: { merchantId: merchant.id } })).toBe(1);
});
