import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { parseCredentials } from '@/lib/providers/mpesa/adapter';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { testCommand } from '@/testing/command';
import { testRuntime } from '@/testing/runtime';
import { simulateMpesa } from './simulate';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
let simulator: MpesaSimulator;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-provider-'));
  simulator = await startMpesaSimulator({ ...runtime(), mode: 'async', keyBits: 2048 });
  await runtime().db.query({ text: "UPDATE provider_account SET networks = '{yas,airtel,halotel,ttcl,other}' WHERE provider = 'sandbox'" });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

async function config(change: object = {}): Promise<string> {
  const path = join(folder, 'mpesa.json');
  await writeFile(path, JSON.stringify({ ...simulator.credentials, ...change }));
  return path;
}

test("testing the simulated provider's account reports that there is nothing to test", async () => {
  expect(await bili('provider', 'test', SANDBOX_ACCOUNT)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('so there is nothing to test'),
  });
  const { stdout } = await bili('provider', 'test', SANDBOX_ACCOUNT, '--json');
  expect(JSON.parse(stdout)).toEqual({ id: SANDBOX_ACCOUNT, works: null, simulated: true });
});

test('provider fields describes the credentials', async () => {
  const { stdout } = await bili('provider', 'fields', 'mpesa');
  expect(stdout).toMatch(/^ {2}serviceProviderCode +the shortcode/m);
  expect(stdout).toMatch(/^ {2}callsAtOnce +.* \(50 in sync mode, 25 in async mode\)$/m);
  expect(await bili('provider', 'fields', 'nobody')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^There is no provider "nobody": use mpesa(, \w+)+\.\n$/),
  });
});

test('after an account was added, the command names the accounts that are tried before it', async () => {
  const setNetworks = (networks: string) =>
    runtime().db.query({ text: 'UPDATE provider_account SET networks = $2 WHERE id = $1' }, [SANDBOX_ACCOUNT, networks]);
  await setNetworks('{vodacom,yas}');
  const { stdout } = await bili('provider', 'add', '--type', 'mpesa', '--environment', 'sandbox', '--config', await config());
  expect(stdout).toContain(`Payment requests try Sandbox (${SANDBOX_ACCOUNT}) first. To change the order: bili provider route\n`);
  await setNetworks('{yas}');
  const [id = ''] = /\(([0-9a-f-]{36})\)/.exec(stdout)?.slice(1) ?? [];
  expect(await bili('provider', 'disable', id)).toMatchObject({ code: 0 });
});

test('credentials are replaced, and the list shows the health of accounts', async () => {
  const added = await json('provider', 'add', '--type', 'mpesa', '--environment', 'sandbox', '--config', await config());
  const { id, callbackUrl } = z.object({ id: z.string(), callbackUrl: z.string() }).parse(added);
  expect(await bili('provider', 'list')).toMatchObject({
    stdout: expect.stringMatching(
      new RegExp(`^${id} .* active \\(not called yet\\)\n  unproven: its history does not contain a payment reported`, 'm'),
    ),
  });
  simulator.control({ apiKey: 'the-second-key-0002' });
  expect(await bili('provider', 'update', id, '--config', await config())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'The provider does not accept these credentials, so the current ones stay in use: no session: HTTP 401',
    ),
  });
  const renewed = await bili('provider', 'update', id, '--config', await config({ apiKey: 'the-second-key-0002' }), '--json');
  expect(JSON.parse(renewed.stdout)).toEqual({ id, callbackUrl });
  await runtime().db.query({ text: "UPDATE provider_account SET down_since = '2026-11-21T10:00:00Z' WHERE id = $1" }, [id]);
  await runtime().db.query(
    {
      text: `INSERT INTO provider_health (account_id, kind, failures, last_error, last_failure_at, last_success_at)
             VALUES ($1, 'query', 7, 'connect ECONNREFUSED', now(), '2026-11-21T09:59:00Z')`,
    },
    [id],
  );
  const { stdout } = await bili('provider', 'list');
  expect(stdout).toContain('down since 2026-11-21T10:00:00.000Z (connect ECONNREFUSED; last answer at 2026-11-21T09:59:00.000Z)');
  expect(await json('provider', 'list')).toContainEqual(
    expect.objectContaining({
      id,
      failures: 7,
      downSince: '2026-11-21T10:00:00.000Z',
      lastError: 'connect ECONNREFUSED',
      recent: expect.objectContaining({ minutes: 15, calls: 0, refusals: [] }),
      unproven: ['callback', 'query', 'refusal', 'unknown'],
    }),
  );
});

test.each(['live', 'sandbox'] as const)('the simulator prints credentials for an account in %s', async (environment) => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const started = await simulateMpesa({ port: 0, mode: 'sync', environment, origin: '*', warmup: 0, json: true });
  const printed = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  await started.stop();
  const { credentials } = z.object({ credentials: z.object({ env: z.string() }).loose() }).parse(JSON.parse(printed));
  expect(credentials.env).toBe(environment === 'live' ? 'openapi' : 'sandbox');
  expect(parseCredentials(JSON.stringify(credentials)).ok).toBe(true);
});
