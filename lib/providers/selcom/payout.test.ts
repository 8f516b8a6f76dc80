import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FailureReason } from '@/lib/providers/port/outcome';
import { accountOf, answer, clock, REFUND, random } from '@/testing/providers/samples';
import { createSelcomAdapter } from './adapter';
import { startSelcomSimulator } from './simulator';
import { readPayoutAnswer, readPayoutStatus } from './wire';

const unknown = { kind: 'unknown' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const refunded = { kind: 'refunded', transactionId: '0289999288', amount: null } as const;
const pending = { kind: 'pending', providerReference: '0289999288' } as const;
const envelope = (resultcode: string, result: string, message = '', more: object = {}) =>
  answer(200, { reference: '0289999288', transid: REFUND.reference, resultcode, result, message, data: [], ...more });
const fail = (status: number, resultcode: string, message = '') =>
  answer(status, { reference: '', transid: '', resultcode, result: 'FAIL', message, data: [] });

test.each([
  ['paid', envelope('000', 'SUCCESS'), refunded],
  ['paid, without our reference', envelope('000', 'SUCCESS', '', { transid: undefined, messageId: '1' }), refunded],
  ['paid, without a receipt number', envelope('000', 'SUCCESS', '', { reference: '' }), { ...refunded, transactionId: null }],
  ['in progress', envelope('111', 'PENDING'), pending],
  ['in progress at the wallet', envelope('927', 'INPROGRESS'), pending],
  ["another payout's", envelope('000', 'SUCCESS', '', { transid: 'OTHER' }), unknown],
  ['contradictory', envelope('000', 'FAIL'), unknown],
  ['ambiguous', envelope('999', 'AMBIGOUS'), unknown],
  ['ambiguous, marked as failed', fail(200, '999', 'No reponse from upstream system'), unknown],
  ['a failure without an answer of the wallet', fail(200, '651', 'Upstream timeout'), unknown],
  ['a used transid', fail(200, '409', 'Duplicate transid'), unknown],
  ['refused: a bad number', fail(200, '010', 'Invalid mobile number or operator not supported'), failed('mobile_not_registered')],
  ['refused: too small', fail(200, '013', 'Amount is below the minimum'), failed('amount_invalid')],
  ['refused: the float account is empty', fail(200, '990', 'Insufficient account balance'), failed('insufficient_funds')],
  ['refused: payouts are not enabled', fail(403, '403', 'API endpoint not enabled for the vendor (4035)'), failed('merchant_config')],
  ['refused: wrong credentials', fail(401, '401', 'Unauthorized'), failed('merchant_config')],
  ['refused: a missing parameter', fail(412, '412', 'Parameter pin is invalid or missing'), failed('merchant_config')],
  ['an error of a gateway', fail(502, '502'), unknown],
])('the answer to a payout is %s', (_name, received, outcome) => {
  expect(readPayoutAnswer(received, REFUND)).toEqual(outcome);
});

test.each([
  ['paid', envelope('000', 'SUCCESS', 'Transaction successful', { data: [{ receipt: '12344' }] }), refunded],
  ['in progress', envelope('111', 'PENDING'), pending],
  ["another payout's", envelope('000', 'SUCCESS', '', { transid: 'OTHER' }), unknown],
  ['open or not known', fail(200, '999', 'No reponse from upstream system'), unknown],
  ['failed', fail(200, '010', 'Invalid mobile number or operator not supported'), failed('mobile_not_registered')],
  ['failed, without a reason', fail(200, '651', 'Transaction failed'), failed('rejected')],
  ['failed: the float account is empty', fail(200, '990', 'Insufficient account balance'), failed('insufficient_funds')],
  ['not about the payout: not found', fail(200, '404', 'Transaction not found'), unknown],
  ['not about the payout: not found, with another code', fail(200, '651', 'Transaction not found'), unknown],
  ['not about the payout: a bad reference', fail(200, '010', 'Invalid reference'), unknown],
  ['not about the payout: the vendor is refused', fail(200, '651', 'Not enabled for the vendor'), unknown],
  ['not about the payout: access', fail(403, '403', 'API endpoint not enabled for the vendor (4035)'), unknown],
  ['not about the payout: parameters', fail(412, '412', 'Parameter transid is invalid or missing'), unknown],
])('the status of a payout is %s', (_name, received, outcome) => {
  expect(readPayoutStatus(received, REFUND)).toEqual(outcome);
});

const adapter = createSelcomAdapter({ clock });
const { signal } = new AbortController();
let simulator: Awaited<ReturnType<typeof startSelcomSimulator>>;
beforeAll(async () => {
  simulator = await startSelcomSimulator({ clock, random });
});
afterAll(() => simulator.stop());

test('without the PIN of the float account or the number of the payee, no payout is sent', async () => {
  const { payoutPin: _, ...withoutPin } = simulator.credentials;
  const account = accountOf('selcom', withoutPin);
  expect(adapter.payouts?.offeredBy(account.credentials)).toBe(false);
  expect(await adapter.payouts?.send(account, REFUND, signal)).toMatchObject({ lost: 'not_sent', status: null });
  const withPin = accountOf('selcom', simulator.credentials);
  expect(await adapter.payouts?.send(withPin, { ...REFUND, mobile: null }, signal)).toMatchObject({ lost: 'not_sent', status: null });
  expect(simulator.payouts).toEqual([]);
});

test('a payout is refused with a wrong PIN, below the minimum, and while the vendor is suspended', async () => {
  const wrongPin = accountOf('selcom', { ...simulator.credentials, payoutPin: '9999' });
  const account = accountOf('selcom', simulator.credentials);
  const send = async (from: typeof account, change: object = {}) => {
    const refund = { ...REFUND, ...change };
    const sent = await adapter.payouts?.send(from, refund, signal);
    return sent && adapter.payouts?.readAnswer(sent, refund);
  };
  expect(await send(wrongPin)).toEqual(failed('merchant_config'));
  expect(await send(account, { amount: 99_900n })).toEqual(failed('amount_invalid'));
  simulator.control({ suspended: true });
  expect(await send(account)).toEqual(failed('merchant_config'));
  simulator.control({ suspended: false });
  expect(simulator.payouts).toEqual([]);
});
