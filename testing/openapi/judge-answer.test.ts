import { expect, test } from 'vitest';
import { CREATED_BILL_EXAMPLE } from '@/lib/gateway/bills/bill-json';
import { describedApi } from './described-api';
import { answerJudge } from './judge-answer';
import type { FuzzedRequest } from './requests';

const judge = answerJudge(describedApi());
const HEADERS = { 'x-request-id': 'x' };
const REFUSED = { ...HEADERS, link: '<x>' };
const GOOD = '{"amount":4.35,"reference":"A","mobile":"+255 712 345 678","phone":1}';

function judged(body: string, status: number, headers: Readonly<Record<string, string>>, text: string, method = 'POST') {
  const request: FuzzedRequest = {
    operationId: 'createBill',
    path: '/api/v3/bills/create',
    method,
    bill: '',
    query: [],
    headers: {},
    key: 'key',
    body,
  };
  return judge(request, { status, headers: new Headers(headers), text });
}

const created = JSON.stringify(CREATED_BILL_EXAMPLE);
const refusal = '{"error":"amount must have at most 2 decimal places"}';
const imprecise = { ...REFUSED, 'bili-error': 'amount_too_precise' };

test('an answer as described is right', () => {
  expect(judged(GOOD, 200, { ...HEADERS, 'bili-ignored': 'phone' }, created)).toBeNull();
  expect(judged('{"amount":4.351,"reference":"A"}', 400, imprecise, refusal)).toBeNull();
  expect(judged('{"amount":1,"reference":"A","dueAt":"soon"}', 200, { ...HEADERS, 'bili-ignored': 'dueAt' }, created)).toBeNull();
});

test.each([
  ['a 5xx', GOOD, 500, { ...REFUSED, 'bili-error': 'internal' }, '{"error":"Internal server error"}'],
  ['a refusal of what the description allows', GOOD, 400, imprecise, refusal],
  ['success of what the description forbids', '{"amount":4.351,"reference":"A"}', 200, HEADERS, created],
  ['a message that does not belong to the code', '{', 400, { ...REFUSED, 'bili-error': 'body_not_json' }, refusal],
  ['a member that is not described', GOOD, 200, HEADERS, created.replace('{', '{"secret":1,')],
] as const)('%s is wrong', (_what, body, status, headers, text) => {
  expect(judged(body, status, headers, text)).toEqual(expect.any(String));
});

test('another method must be refused', () => {
  expect(judged('', 200, HEADERS, created, 'PUT')).toBe('status 200 instead of 405');
  expect(judged('', 405, { 'bili-error': 'method_not_allowed' }, '{}', 'PUT')).toBeNull();
});

test('a method of another operation of the path must be answered as that operation', () => {
  const judgedList = (text: string) => {
    const asked = { operationId: 'recordPayment', path: '/api/v3/bills/{id}/payments', method: 'GET', bill: '', key: 'key', body: null };
    return judge({ ...asked, query: [], headers: {} }, { status: 200, headers: new Headers(HEADERS), text });
  };
  expect(judgedList('{"payments":[]}')).toBeNull();
  expect(judgedList('{"payments":[{}]}')).toEqual(expect.any(String));
});
