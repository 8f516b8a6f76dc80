import { afterEach, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { makeAccount, testRuntime } from '@/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { type MpesaSimulator, startMpesaSimulator } from './simulator';

const started = testRuntime();
/** The time of the workers and of the simulator. Only the tests move it, so that no lease and no session ends because the machine is slow. */
let now = new Date();
const runtime = () => ({
  ...started(),
  clock: () => now,
  advance(ms: number) {
    now = addMs(now, ms);
  },
});
const RENEWAL_LEASE_MS = 20 * SECOND_MS;
let simulator: MpesaSimulator;
afterEach(() => simulator.stop());

/** Returns an account and a function that creates the adapter of a worker. Workers share only the database. */
async function start(warmupMs = 0) {
  simulator = await startMpesaSimulator({ ...runtime(), mode: 'async', warmupMs, keyBits: 2048 });
  const credentials = JSON.stringify(simulator.credentials);
  const account = await makeAccount(runtime(), { provider: 'mpesa', credentials, callbackUrl: '' });
  const sessions = createSessionStore(runtime());
  return { account, sessions, newWorker: () => createMpesaAdapter({ ...runtime(), sessions }) };
}

async function sendPrompt(adapter: ProviderAdapter, account: ProviderAccount, signal = new AbortController().signal) {
  const prompt = {
    reference: newPaymentReference(runtime().random),
    providerReference: null,
    mobile: '0754000001',
    network: 'vodacom',
    amount: 500_100n,
    description: 'Bill',
  } as const;
  const answer = await adapter.send(account, prompt, signal);
  return adapter.readAnswer(answer, prompt).kind === 'accepted' ? 'sent' : `${answer.lost ?? answer.status} ${answer.error ?? ''}`.trim();
}

const rowOf = async ({ id }: ProviderAccount) => {
  const [row] = await runtime().db.query<{ token: Uint8Array | null; leased: boolean }>(
    { text: 'SELECT encrypted_token AS token, lease_until IS NOT NULL AS leased FROM provider_session WHERE account_id = $1' },
    [id],
  );
  return row;
};

test('workers that start at the same time open one session, and none uses it before it is usable', async () => {
  const { account, newWorker } = await start(300);
  const workers = [newWorker(), newWorker(), newWorker()];
  const sent = Promise.all([...workers, ...workers].map((worker) => sendPrompt(worker, account)));
  await expect.poll(async () => (await rowOf(account))?.token).toBeTruthy();
  runtime().advance(299);
  expect(await Promise.race([sent, rowOf(account)])).toMatchObject({ leased: false });
  runtime().advance(1);
  expect(await sent).toEqual(Array.from({ length: 6 }, () => 'sent'));
  expect(await sendPrompt(newWorker(), account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);
});

test('a session is encrypted in the database, and other credentials do not find it', async () => {
  const { account, sessions, newWorker } = await start();
  await sendPrompt(newWorker(), account);
  const found = await sessions.find(account);
  expect(found?.token).toMatch(/^[0-9a-f]{32}$/);
  expect(Buffer.from((await rowOf(account))?.token ?? []).includes(found?.token ?? '')).toBe(false);
  expect(await sessions.find({ ...account, credentials: '{}' })).toBeNull();
});

test('if a worker dies while it opens a session, another one opens it when the lease ends', async () => {
  const { account, sessions, newWorker } = await start();
  const { clock } = runtime();
  const lease = { replaces: null, now: clock(), leaseUntil: addMs(clock(), RENEWAL_LEASE_MS) };
  const dead = await sessions.claim(account, lease);
  expect(await sessions.claim(account, lease)).toBeNull();
  const sent = sendPrompt(newWorker(), account);
  runtime().advance(RENEWAL_LEASE_MS);
  expect(await sent).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);

  // The first worker was not dead but slow. Its lease is over, so the session that it opened is not stored.
  const live = await sessions.find(account);
  const late = { token: 'late', previous: null, openedAt: clock(), usableAt: clock(), endsAt: addMs(clock(), HOUR_MS) };
  await sessions.save(account, dead ?? 0, late);
  expect(await sessions.find(account)).toEqual(live);
});

test('a worker that waits for the session of another one stops when it is aborted, and after a time limit', async () => {
  const { account, sessions, newWorker } = await start();
  const { clock } = runtime();
  await sessions.claim(account, { replaces: null, now: clock(), leaseUntil: addMs(clock(), HOUR_MS) });
  const stopping = new AbortController();
  const waiting = [sendPrompt(newWorker(), account, stopping.signal), sendPrompt(newWorker(), account)];
  stopping.abort();
  expect(await waiting[0]).toBe('not_sent stopped while waiting for a session');
  runtime().advance(MINUTE_MS);
  expect(await waiting[1]).toBe('not_sent no session: none became usable in time');
});

test('a refused session is removed once, and the session that replaced it stays', async () => {
  const { account, newWorker } = await start();
  const [one, two] = [newWorker(), newWorker()];
  await sendPrompt(one, account);
  await sendPrompt(two, account);
  simulator.control({ endSessions: true });
  // The time at which a session was opened identifies it.
  runtime().advance(1);
  expect(await sendPrompt(one, account)).toBe('401');
  expect((await rowOf(account))?.token).toBeNull();
  expect(await sendPrompt(one, account)).toBe('sent');
  // The second worker still has the old session. The simulator refuses that session, and the worker then reads the new one.
  expect(await sendPrompt(two, account)).toBe('401');
  expect(await sendPrompt(two, account)).toBe('sent');
  expect(await sendPrompt(one, account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
});

test('a session is renewed before it ends, and all workers use the old one until the new one is usable', async () => {
  const { account, newWorker } = await start(MINUTE_MS);
  const [one, two] = [newWorker(), newWorker()];
  const first = sendPrompt(one, account);
  await expect.poll(async () => (await rowOf(account))?.token).toBeTruthy();
  runtime().advance(MINUTE_MS);
  expect(await first).toBe('sent');

  runtime().advance(0.92 * HOUR_MS);
  expect(await Promise.all([sendPrompt(one, account), sendPrompt(two, account), sendPrompt(one, account)])).toEqual([
    'sent',
    'sent',
    'sent',
  ]);
  expect(await sendPrompt(newWorker(), account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
  runtime().advance(0.1 * HOUR_MS);
  expect(await Promise.all([sendPrompt(one, account), sendPrompt(two, account)])).toEqual(['sent', 'sent']);
  expect(simulator.sessionsOpened()).toBe(2);
});

test('if the old session is refused before the new one is usable, the new one stays', async () => {
  const { account, sessions, newWorker } = await start();
  const one = newWorker();
  await sendPrompt(one, account);
  const old = await sessions.find(account);
  const { clock } = runtime();
  if (!old) throw new Error('no session was opened');
  const [openedAt, usableAt, endsAt] = [clock(), addMs(clock(), MINUTE_MS), addMs(clock(), HOUR_MS)];
  await sessions.invalidate(account, old.openedAt, { token: old.token, previous: { ...old, token: 'ended' }, openedAt, usableAt, endsAt });
  const two = newWorker();
  expect(await sendPrompt(two, account)).toBe('401');
  expect(await sessions.find(account)).toEqual({ token: old.token, previous: null, openedAt, usableAt, endsAt });
  runtime().advance(MINUTE_MS);
  expect(await sendPrompt(two, account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);
});

test('a renewal that fails leaves the old session in use', async () => {
  const { account, newWorker } = await start();
  const one = newWorker();
  await sendPrompt(one, account);
  simulator.control({ sessionsFail: true });
  runtime().advance(0.95 * HOUR_MS);
  expect(await sendPrompt(one, account)).toBe('sent');
  expect(await rowOf(account)).toMatchObject({ leased: false });
  runtime().advance(0.1 * HOUR_MS);
  expect(await sendPrompt(one, account)).toBe('not_sent no session: HTTP 400 INS-989');
  simulator.control({ sessionsFail: false });
  expect(await sendPrompt(one, account)).toBe('sent');
});

test('changed credentials open a new session', async () => {
  const { account, newWorker } = await start();
  const one = newWorker();
  await sendPrompt(one, account);
  const changed = { ...account, credentials: JSON.stringify({ ...simulator.credentials, sessionMinutes: 5 }) };
  expect(await sendPrompt(one, changed)).toBe('sent');
  expect(await sendPrompt(newWorker(), changed)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
});

test('if the session cannot be stored, the request is not sent', async () => {
  const { account, newWorker } = await start();
  expect(await sendPrompt(newWorker(), { ...account, id: '00000000-0000-7000-8000-000000000000' })).toMatch(
    /^not_sent no session: .*foreign key/,
  );
  expect(simulator.sessionsOpened()).toBe(0);
});

test('the answer 429 does not end the session', async () => {
  const { account, newWorker } = await start();
  const worker = newWorker();
  const send = (mobile: string) =>
    worker.send(
      account,
      {
        reference: newPaymentReference(runtime().random),
        providerReference: null,
        mobile,
        network: 'vodacom',
        amount: 500_100n,
        description: 'Bill',
      },
      new AbortController().signal,
    );
  await send('0754000001');
  expect((await send('0754000013')).status).toBe(429);
  await send('0754000001');
  expect(simulator.sessionsOpened()).toBe(1);
});
