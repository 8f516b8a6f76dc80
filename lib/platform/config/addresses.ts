import { join } from 'node:path';
import { readJson, writePrivateJson } from './data-dir';
import type { Settings } from './settings';

const FILE = 'addresses.json';
const CHOSEN_BY = ['PORT', 'SANDBOX_PORT', 'LIVE_BASE_URL', 'SANDBOX_BASE_URL'];

type Addresses = Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>;

/** Stores the base addresses of this start in DATA_DIR, so that commands use the same ones. */
export async function storeAddresses(dataDir: string, { LIVE_BASE_URL, SANDBOX_BASE_URL }: Addresses): Promise<void> {
  await writePrivateJson(join(dataDir, FILE), { live: LIVE_BASE_URL.origin, sandbox: SANDBOX_BASE_URL.origin });
}

/** Returns the settings with the base addresses of the last start in DATA_DIR, unless the environment sets them. */
export async function withStoredAddresses<Given extends Addresses>(
  settings: Given,
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Given> {
  if (CHOSEN_BY.some((name) => env[name])) return settings;
  const stored = await readJson(join(dataDir, FILE));
  const [live, sandbox] = ['live', 'sandbox'].map((name) => readOrigin(stored, name));
  return live && sandbox ? { ...settings, LIVE_BASE_URL: live, SANDBOX_BASE_URL: sandbox } : settings;
}

function readOrigin(stored: unknown, name: string): URL | null {
  const text: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : undefined;
  return typeof text === 'string' ? URL.parse(text) : null;
}
