import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { ensureDemo } from './demo';
import { welcome, welcomeJson } from './welcome';

const runtime = testRuntime();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function settingsOf(change: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bili-demo-'));
  folders.push(folder);
  return { ...runtime().settings, DATA_DIR: folder, ...change };
}
const PUBLIC = { LIVE_BASE_URL: new URL('https://pay.example'), SANDBOX_BASE_URL: new URL('https://sandbox.pay.example') };

test('no demo merchant is created if Bili is reachable from other machines', async () => {
  expect(await ensureDemo({ ...runtime(), settings: await settingsOf(PUBLIC) })).toBeUndefined();
});

test('the start message links to the documentation in both languages', async () => {
  const settings = await settingsOf();
  expect(welcome(settings, undefined)).toContain(
    `${settings.LIVE_BASE_URL.origin}/docs (Kiswahili: ${settings.LIVE_BASE_URL.origin}/docs/sw)`,
  );
});

test('the start message says that the copy is on hold', async () => {
  const settings = await settingsOf();
  const since = '2026-11-28T10:00:00.000Z';
  expect(welcome(settings, undefined, since)).toContain(since);
  expect(JSON.parse(welcomeJson(settings, undefined, since))).toMatchObject({ onHoldSince: since });
});

test('demo secrets are printed only on a private installation without JSON logs', async () => {
  const settings = await settingsOf();
  const demo = await ensureDemo({ ...runtime(), settings });
  if (!demo) throw new Error('there is a demo merchant');
  const secrets = [demo.sandbox.apiSecret, demo.dashboard.password];
  const has = (text: string) => secrets.map((secret) => text.includes(secret));

  expect(has(welcome(settings, demo))).toEqual([true, true]);
  expect(has(welcomeJson(settings, demo))).toEqual([true, true]);
  for (const change of [PUBLIC, { LOG_FORMAT: 'json' as const }]) {
    const text = welcome({ ...settings, ...change }, demo);
    expect(has(text)).toEqual([false, false]);
    expect(text).toContain('demo-credentials.json');
  }
  expect(has(welcomeJson({ ...settings, ...PUBLIC }, demo))).toEqual([false, false]);
});
