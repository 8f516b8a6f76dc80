import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { cleanEnv } from '@/testing/process';
import { ephemeralJson } from './start';

let temporary = '';
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'bili-ci-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

test('the example of a CI job starts a temporary sandbox, waits for a webhook, and leaves nothing behind', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const bili = `${process.execPath} ${join(PROJECT_ROOT, '.build', 'bili.mjs')}`;
  // The database of an installation must be ignored.
  const env = cleanEnv({ BILI: bili, TMPDIR: temporary, DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
  const child = spawn('sh', [join(PROJECT_ROOT, 'docs', 'examples', 'test-with-sandbox.sh')], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('CI-1: FULLY_PAID, SUCCEEDED') });
  expect(output).toMatch(/msg_[0-9a-f-]+ \{"bill":\{.*"amount":5000\.0,.*"reference":"CI-1"\}\}\nThe shop works with Bili\./);
  expect(await readdir(temporary)).toEqual([]);
});

test('the key has the same names as that of "bili key create", and the older names', () => {
  const settings = { LIVE_BASE_URL: new URL('http://localhost:40214'), SANDBOX_BASE_URL: new URL('http://localhost:40213') };
  const sandbox = { baseUrl: '', apiKey: 'bili_sandbox_key_1', apiSecret: 'bili_sandbox_secret_1', webhookSecret: 'whsec_1', phones: null };
  const dashboard = { url: '', email: 'demo@example.com', password: 'secret' };
  expect(JSON.parse(ephemeralJson(settings, { sandbox, dashboard }))).toEqual({
    sandbox: 'http://localhost:40213',
    apiKey: 'bili_sandbox_key_1',
    apiSecret: 'bili_sandbox_secret_1',
    keyId: 'bili_sandbox_key_1',
    secret: 'bili_sandbox_secret_1',
    webhookSecret: 'whsec_1',
    dashboard: { url: 'http://localhost:40214/sign-in', email: 'demo@example.com', password: 'secret' },
  });
});

test('the workflow in the documentation runs this script', async () => {
  const document = await readFile(join(PROJECT_ROOT, 'docs', 'developer-tools.md'), 'utf8');
  expect(document).toContain('run: sh bili/docs/examples/test-with-sandbox.sh');
});
