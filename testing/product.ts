import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredDemo } from '@/lib/cli/processes/welcome';
import { storeSecrets } from '@/lib/platform/config/data-dir';
import { findRunningEmbedded } from '@/lib/platform/db/embedded';
import { makeDatabaseFolder } from './database-folder';
import { freePorts } from './free-ports';
import { type Env, type Running, startProgram } from './process';
import { runCommand } from './run-command';
import { UNLIMITED } from './unlimited';

/** The whole built product as `npm start` runs it, in its own folder and on its own ports. */
export interface Product {
  readonly liveUrl: string;
  readonly sandboxUrl: string;
  readonly dataDir: string;
  readonly demo: StoredDemo;
  readonly env: Env;
  /** The current supervisor process. */
  running(): Running;
  /** Starts the product again in the same folder and on the same ports. */
  restart(): Promise<void>;
  /** Runs a command with --json and returns the result. Throws with the output if it fails. */
  bili(args: readonly string[]): Promise<unknown>;
  /** The URL of the embedded database, for direct checks, with the role of web and worker. */
  databaseUrl(): Promise<string>;
  /** The same with the role that owns the tables. */
  ownerUrl(): Promise<string>;
  /** Stops everything and removes the folder. */
  dispose(): Promise<void>;
}

/** @param env additional settings. */
export async function startProduct(env: Env = {}): Promise<Product> {
  const dataDir = await makeDatabaseFolder('bili-e2e-');
  const [live = 0, sandbox = 0] = await freePorts(2);
  const settings: Env = {
    PORT: String(live),
    SANDBOX_PORT: String(sandbox),
    DATA_DIR: dataDir,
    SANDBOX_DELAY_FACTOR: '0.1',
    REQUIRE_SECOND_FACTOR: 'off',
    ...UNLIMITED,
    ...env,
  };
  let running = startProgram(['start'], settings);
  await running.printed('Bili is running.');
  const demo: StoredDemo = JSON.parse(await readFile(join(dataDir, 'demo-credentials.json'), 'utf8'));
  const findDatabase = async () => {
    const found = await findRunningEmbedded(dataDir, await storeSecrets(dataDir, undefined));
    if (!found) throw new Error('the embedded database does not run');
    return found;
  };
  return {
    liveUrl: `http://localhost:${live}`,
    sandboxUrl: `http://localhost:${sandbox}`,
    dataDir,
    demo,
    env: settings,
    running: () => running,
    async restart() {
      running = startProgram(['start'], settings);
      await running.printed('Bili is running.');
    },
    async bili(args) {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], settings);
      if (code !== 0) throw new Error(`bili ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    databaseUrl: async () => (await findDatabase()).url,
    ownerUrl: async () => (await findDatabase()).ownerUrl,
    async dispose() {
      await running.kill('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
