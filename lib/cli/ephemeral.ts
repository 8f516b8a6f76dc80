import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '@/lib/config/settings';
import type { DemoCredentials } from './welcome';

/** Settings that a temporary sandbox does not take from its environment. The sandbox must never use the database of an installation. */
const IGNORED = ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'SECRET_KEY', 'LIVE_BASE_URL', 'SANDBOX_BASE_URL', 'HOST'];

/**
 * Sets the environment variables of a temporary sandbox. Its database is empty and in a temporary folder. Ports that are not set become
 * free ports. Only errors are logged, so that standard output contains nothing but the credentials. Returns a function that deletes the
 * folder.
 */
export async function makeEphemeral(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bili-sandbox-'));
  for (const name of IGNORED) delete env[name];
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  env.DATA_DIR = folder;
  env.PORT ||= String(port);
  env.SANDBOX_PORT ||= String(sandboxPort);
  env.WEB_PROCESSES ||= '1';
  env.LOG_LEVEL ||= 'error';
  return () => rm(folder, { recursive: true, force: true });
}

/** Returns ports that nobody listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const addresses = servers.map((server) => server.address());
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return addresses.map((address) => (address === null || typeof address === 'string' ? 0 : address.port));
}

/** Returns the credentials of a temporary sandbox as one line of JSON. `keyId` and `secret` are older names of the API key's two parts. */
export function ephemeralJson(settings: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>, demo: DemoCredentials | undefined): string {
  if (!demo) throw new Error('a new database has no demo merchant');
  const { apiKey, apiSecret, webhookSecret } = demo.sandbox;
  const { email, password } = demo.dashboard;
  const dashboard = { url: `${settings.LIVE_BASE_URL.origin}/sign-in`, email, password };
  const key = { apiKey, apiSecret, keyId: apiKey, secret: apiSecret };
  return `${JSON.stringify({ sandbox: settings.SANDBOX_BASE_URL.origin, ...key, webhookSecret, dashboard })}\n`;
}
