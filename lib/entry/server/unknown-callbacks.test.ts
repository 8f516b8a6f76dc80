import { afterEach, beforeEach, expect, test } from 'vitest';
import { callbacks } from '@/app/callbacks/[provider]/[token]/direct';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { createRecorder } from '@/lib/platform/metrics/create-recorder';
import { aggregate, createProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import { collectLog } from '@/testing/log-lines';
import { makeAccount, testRuntime } from '@/testing/runtime';
import { parseSeries } from '@/testing/scrape';
import { forWeb, type WebRuntime } from './web-runtime';

const runtime = testRuntime();
let web: WebRuntime;
let lines: ReturnType<typeof collectLog>['lines'];
let metrics: ReturnType<typeof createProcessMetrics>;

beforeEach(() => {
  const collected = collectLog();
  lines = collected.lines;
  metrics = createProcessMetrics();
  globalThis.biliRecorder = createRecorder(metrics, 'web');
  web = forWeb({ ...runtime(), log: collected.log });
  globalThis.biliWebRuntime = web;
});
afterEach(() => {
  web.limits.stop();
  globalThis.biliWebRuntime = undefined;
  globalThis.biliRecorder = undefined;
});

const WRONG = `00000000-0000-7000-8000-5a0db0c00001.${'A'.repeat(22)}`;

async function send(path: string, from = '192.0.2.7'): Promise<number> {
  const request = new Request(`https://pay.example/callbacks/${path}`, { method: 'POST', body: '{}', headers: { 'x-bili-peer': from } });
  return (await callbacks(request)).status;
}

async function countedSeries(): Promise<Record<string, number>> {
  const series = parseSeries(await aggregate([JSON.parse(JSON.stringify(await metrics.collect()))]));
  return Object.fromEntries([...series].filter(([name]) => name.startsWith('bili_callback_refusals_total')));
}

async function tokenOf(provider: string): Promise<string> {
  const account = await makeAccount(runtime(), { provider, credentials: '{}', callbackUrl: '' });
  const stored = await findAccountById(runtime().db, account.id);
  if (!stored) throw new Error('the account was made');
  return openAccount(runtime(), stored).callbackUrl.split('/').at(-1) ?? '';
}

test('a callback to an unknown address is counted by provider and reason, and its token is in no log line', async () => {
  const token = await tokenOf('mpesa');
  for (const path of [`snippe/${WRONG}`, `snippe/${WRONG}`, 'account/nonsense', `no-such-provider/${WRONG}`, 'snippe', `airtel/${token}`])
    expect(await send(path), path).toBe(404);
  expect(await countedSeries()).toEqual({
    'bili_callback_refusals_total{provider="snippe",reason="unknown_token"}': 2,
    'bili_callback_refusals_total{provider="account",reason="unknown_token"}': 1,
    'bili_callback_refusals_total{provider="unknown",reason="unknown_token"}': 1,
    'bili_callback_refusals_total{provider="snippe",reason="incomplete_address"}': 1,
    'bili_callback_refusals_total{provider="airtel",reason="other_provider"}': 1,
  });
  expect(web.unknownCallbacks).toMatchObject({ count: 6, last: { at: expect.any(Date) } });
  expect(JSON.stringify([lines, web.unknownCallbacks])).not.toMatch(/AAAA|nonsense|no-such-provider/);
  expect(JSON.stringify([lines, web.unknownCallbacks])).not.toContain(token.split('.')[1]);
});

test('callbacks to unknown addresses are logged once a minute for each address that sends them', async () => {
  for (let n = 0; n < 20; n += 1) await send(`snippe/${WRONG}`);
  expect(lines).toMatchObject([{ level: 40, reason: 'unknown_callback', address: '192.0.2.7', requestId: expect.any(String) }]);
  await send(`snippe/${WRONG}`, '192.0.2.8');
  expect(lines).toHaveLength(2);
  runtime().advance(MINUTE_MS);
  await send(`snippe/${WRONG}`);
  expect(lines).toHaveLength(3);
});

test('a callback to the address of an account is neither counted nor refused', async () => {
  const token = await tokenOf('mpesa');
  expect([await send(`account/${token}`), await send(`mpesa/${token}`)]).not.toContain(404);
  expect([await countedSeries(), web.unknownCallbacks.count]).toEqual([{}, 0]);
  expect(lines.filter(({ reason }) => reason !== undefined)).toEqual([]);
});
