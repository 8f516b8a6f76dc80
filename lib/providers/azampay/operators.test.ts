import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Reply, type Route, startRoutes } from '@/lib/providers/kit/server';
import type { PromptRequest } from '@/lib/providers/port/port';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { accountOf, clock, PROMPT } from '@/testing/providers/samples';
import { createAzampayAdapter } from './adapter';

// AzamPay does not document its answer to a wrong `operator` (the mobile network). The answer may be "failed" while the customer is paying.
const answers: Record<string, Reply> = {};
let asked: string[] = [];
const routes: Route[] = [
  {
    method: 'POST',
    path: '/AppRegistration/GenerateToken',
    answer: () => ({ status: 200, body: { data: { accessToken: 'T' }, success: true } }),
  },
  {
    method: 'GET',
    path: '/azam/v1/gettransactionstatus',
    answer({ query: { operator = '' } }) {
      asked.push(operator);
      return answers[operator] ?? said('Failure');
    },
  },
];
let server: Awaited<ReturnType<typeof startRoutes>>;
let adapter: ReturnType<typeof createAzampayAdapter>;

beforeAll(async () => {
  server = await startRoutes(0, routes);
});
afterAll(() => server.stop());
beforeEach(() => {
  adapter = createAzampayAdapter({ clock, sessions: createPrivateSessions() });
  asked = [];
  for (const operator of Object.keys(answers)) delete answers[operator];
});

function said(status: string, reasonOfTransactionFailure: string | null = null): Reply {
  const success = status === 'Success';
  return { status: 200, body: { data: { status, pgReferenceId: 'ID', reasonOfTransactionFailure }, success, statusCode: 200 } };
}

async function ask(...words: string[]) {
  const urls = { authUrl: server.url, checkoutUrl: server.url };
  const credentials = { appName: 'app', clientId: 'client', clientSecret: 'secret', ...urls, operators: { yas: words } };
  const account = accountOf('azampay', credentials);
  const prompt: PromptRequest = { ...PROMPT, providerReference: 'ID', mobile: '0654000001', network: 'yas' };
  const answer = await adapter.query(account, prompt, new AbortController().signal);
  return { error: answer.error, outcome: adapter.readStatus(answer, prompt) };
}

const kindOf = async (...words: string[]) => (await ask(...words)).outcome.kind;

test('a failure under one operator does not hide the payment from the next', async () => {
  answers.right = said('Success');
  expect(await kindOf('wrong', 'right')).toBe('paid');
  answers.right = said('Pending');
  expect(await kindOf('wrong', 'right')).toBe('pending');
});

test('a pending payment under one operator does not hide the result under the next', async () => {
  answers.wrong = said('Pending');
  answers.right = said('Success');
  expect(await kindOf('wrong', 'right')).toBe('paid');
});

test.each([
  [['broken', 'strange', 'right'], 'pending', ['broken', 'strange', 'right']],
  [['broken', 'strange'], 'not_found', ['broken', 'strange']],
  [['strange', 'broken'], 'not_found', ['strange', 'broken']],
  [['broken'], 'unknown', ['broken']],
  // The error is not about the value of `operator`, so the next value is not tried.
  [['busy', 'right'], 'unknown', ['busy']],
  [['cut', 'right'], 'unknown', ['cut']],
])('an error of the server about one operator does not hide the payment from the next: %j', async (words, kind, tried) => {
  answers.broken = { status: 500, body: { message: 'Internal server error' } };
  answers.strange = { status: 404, body: { success: false, message: 'Transaction not found' } };
  answers.right = { status: 200, body: { data: 'pending', success: false, statusCode: 200 } };
  answers.busy = { status: 429, body: { message: 'Too many requests' } };
  answers.cut = 'cut';
  expect(await kindOf(...words)).toBe(kind);
  expect(asked).toEqual(tried);
});

test.each(['Failure', 'Expired'])(
  '%s under an operator that has found no payment yet is not final, and a person can see it',
  async (word) => {
    answers.one = said(word);
    answers.other = said(word);
    const { error, outcome } = await ask('one', 'other');
    expect(outcome).toEqual({ kind: 'unknown' });
    expect(error).toContain('the operator "one", which has not found a payment yet');
  },
);

test.each([
  ['which found a payment', said('Pending')],
  ['which found a payment that is paid', said('Success')],
])('a failure under an operator %s is final', async (_name, earlier) => {
  answers.right = earlier;
  await ask('wrong', 'right');
  answers.right = said('Failure');
  expect(await kindOf('wrong', 'right')).toBe('failed');
});

test.each(['Insufficient balance', 'Wrong PIN', 'Cancelled by the customer'])('a failure with the cause %j is final', async (cause) => {
  answers.wrong = { status: 404, body: { success: false, message: 'Transaction not found' } };
  answers.right = said('Failure', cause);
  expect(await kindOf('wrong', 'right')).toBe('failed');
});

test.each(['Connection refused', 'Transaction timed out'])('a failure with the cause %j may be that of the status query', async (cause) => {
  answers.one = said('Failure', cause);
  expect(await kindOf('one', 'other')).toBe('unknown');
});

test('a failure under the only operator of a network is final: nobody has guessed it', async () => {
  answers.yas = said('Failure');
  expect(await kindOf('yas')).toBe('failed');
});

test('a failure because no such transaction was found is none', async () => {
  answers.yas = said('Failure', 'Transaction not found');
  expect(await kindOf('yas')).toBe('not_found');
});
