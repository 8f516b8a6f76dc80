import { afterEach, expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';
import type { ProviderAccount, ProviderAdapter } from '@/lib/providers/port/port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import { makeAccount, testRuntime } from '@/lib/testing/runtime';
import { createMpesaAdapter } from './adapter';
import { type MpesaSimulator, startMpesaSimulator } from './simulator';

const runtime = testRuntime();
const RENEWAL_LEASE_MS = 20 * SECOND_MS;
let simulator: MpesaSimulator;
afterEach(() => simulator.stop());

/** @returns an account, and a function that makes a worker's adapter: what workers share is in the database alone. */
async function start(warmupMs = 0) {
  simulator = await startMpesaSimulator({ ...runtime(), mode: 'async', warmupMs, keyBits: 2048 });
  const credentials = JSON.stringify(simulator.credentials);
  const account = await makeAccount(runtime(), { provider: 'mpesa', credentials, callbackUrl: '' });
  const sessions = createSessionStore(runtime());
  return { account, sessions, newWorker: () => createMpesaAdapter({ ...runtime(), sessions }) };
}

async function push(adapter: ProviderAdapter, account: ProviderAccount, signal = new AbortController().signal) {
  const one = {
    reference: newPaymentReference(runtime().random),
    providerReference: null,
    mobile: '0754000001',
    network: 'vodacom',
    amount: 500_100n,
    description: 'Bill',
  } as const;
  const answer = await adapter.send(account, one, signal);
  return adapter.readAnswer(answer, one).kind === 'accepted' ? 'sent' : `${answer.lost ?? answer.status} ${answer.error ?? ''}`.trim();
}

const rowOf = async ({ id }: ProviderAccount) => {
  const [row] = await runtime().db.query<{ token: Uint8Array | null; leased: boolean }>(
    { text: 'SELECT encrypted_token AS token, lease_until IS NOT NULL AS leased FROM provider_session WHERE account_id = $1' },
    [id],
  );
  return row;
};

test('workers that start together open one session, and none uses it before it has warmed up', async () => {
  const { account, newWorker } = await start(300);
  const workers = [newWorker(), newWorker(), newWorker()];
  expect(await Promise.all([...workers, ...workers].map((worker) => push(worker, account)))).toEqual(
    Array.from({ length: 6 }, () => 'sent'),
  );
  expect(await push(newWorker(), account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);
});

test('a session is unreadable in the database, and nobody else can have it as theirs', async () => {
  const { account, sessions, newWorker } = await start();
  await push(newWorker(), account);
  const found = await sessions.find(account);
  expect(found?.token).toMatch(/^[0-9a-f]{32}$/);
  expect(Buffer.from((await rowOf(account))?.token ?? []).includes(found?.token ?? '')).toBe(false);
  expect(await sessions.find({ ...account, credentials: '{}' })).toBeNull();
});

test('a worker that dies while it opens a session is replaced when its lease ends', async () => {
  const { account, sessions, newWorker } = await start();
  const { clock } = runtime();
  const lease = { replaces: null, now: clock(), leaseUntil: addMs(clock(), RENEWAL_LEASE_MS) };
  const dead = await sessions.claim(account, lease);
  expect(await sessions.claim(account, lease)).toBeNull();
  const sent = push(newWorker(), account);
  runtime().advance(RENEWAL_LEASE_MS - SECOND_MS / 2);
  expect(await sent).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);

  // It was not dead after all: what it opened is thrown away.
  const live = await sessions.find(account);
  const late = { token: 'late', previous: null, openedAt: clock(), usableAt: clock(), endsAt: addMs(clock(), HOUR_MS) };
  await sessions.save(account, dead ?? 0, late);
  expect(await sessions.find(account)).toEqual(live);
});

test('a worker waits for another no longer than until it stops, and not for ever', async () => {
  const { account, sessions, newWorker } = await start();
  const { clock } = runtime();
  await sessions.claim(account, { replaces: null, now: clock(), leaseUntil: addMs(clock(), HOUR_MS) });
  const stopping = new AbortController();
  const waiting = [push(newWorker(), account, stopping.signal), push(newWorker(), account)];
  stopping.abort();
  expect(await waiting[0]).toBe('not_sent stopped while waiting for a session');
  runtime().advance(MINUTE_MS);
  expect(await waiting[1]).toBe('not_sent no session: waited too long for one that works');
});

test('a session that was refused is dropped once; the one that replaced it stays', async () => {
  const { account, newWorker } = await start();
  const [one, two] = [newWorker(), newWorker()];
  await push(one, account);
  await push(two, account);
  simulator.control({ endSessions: true });
  expect(await push(one, account)).toBe('401');
  expect((await rowOf(account))?.token).toBeNull();
  expect(await push(one, account)).toBe('sent');
  // It still has the old one, and learns of it.
  expect(await push(two, account)).toBe('401');
  expect(await push(two, account)).toBe('sent');
  expect(await push(one, account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
});

test('a session is renewed before it ends: the old one serves every worker until the new one has warmed up', async () => {
  const { account, newWorker } = await start(MINUTE_MS);
  const [one, two] = [newWorker(), newWorker()];
  const first = push(one, account);
  await expect.poll(async () => (await rowOf(account))?.token).toBeTruthy();
  runtime().advance(MINUTE_MS);
  expect(await first).toBe('sent');

  runtime().advance(0.92 * HOUR_MS);
  expect(await Promise.all([push(one, account), push(two, account), push(one, account)])).toEqual(['sent', 'sent', 'sent']);
  expect(await push(newWorker(), account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
  runtime().advance(0.1 * HOUR_MS);
  expect(await Promise.all([push(one, account), push(two, account)])).toEqual(['sent', 'sent']);
  expect(simulator.sessionsOpened()).toBe(2);
});

test('an old session that is refused while the new one warms up takes nothing from the new one', async () => {
  const { account, sessions, newWorker } = await start();
  const one = newWorker();
  await push(one, account);
  const old = await sessions.find(account);
  const { clock } = runtime();
  if (!old) throw new Error('it was opened');
  const [openedAt, usableAt, endsAt] = [clock(), addMs(clock(), MINUTE_MS), addMs(clock(), HOUR_MS)];
  await sessions.reduce(account, old.openedAt, { token: old.token, previous: { ...old, token: 'ended' }, openedAt, usableAt, endsAt });
  const two = newWorker();
  expect(await push(two, account)).toBe('401');
  expect(await sessions.find(account)).toEqual({ token: old.token, previous: null, openedAt, usableAt, endsAt });
  runtime().advance(MINUTE_MS);
  expect(await push(two, account)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(1);
});

test('a renewal that fails leaves the old session in use', async () => {
  const { account, newWorker } = await start();
  const one = newWorker();
  await push(one, account);
  simulator.control({ sessionsFail: true });
  runtime().advance(0.95 * HOUR_MS);
  expect(await push(one, account)).toBe('sent');
  expect(await rowOf(account)).toMatchObject({ leased: false });
  runtime().advance(0.1 * HOUR_MS);
  expect(await push(one, account)).toBe('not_sent no session: HTTP 400 INS-989');
  simulator.control({ sessionsFail: false });
  expect(await push(one, account)).toBe('sent');
});

test('credentials that have changed start afresh', async () => {
  const { account, newWorker } = await start();
  const one = newWorker();
  await push(one, account);
  const changed = { ...account, credentials: JSON.stringify({ ...simulator.credentials, sessionMinutes: 5 }) };
  expect(await push(one, changed)).toBe('sent');
  expect(await push(newWorker(), changed)).toBe('sent');
  expect(simulator.sessionsOpened()).toBe(2);
});

test('without the place where sessions are kept, nothing was sent', async () => {
  const { account, newWorker } = await start();
  expect(await push(newWorker(), { ...account, id: '00000000-0000-7000-8000-000000000000' })).toMatch(
    /^not_sent no session: .*foreign key/,
  );
  expect(simulator.sessionsOpened()).toBe(0);
});

test('too many requests say nothing about the session: it is kept', async () => {
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
