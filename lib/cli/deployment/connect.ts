import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { thisOperator } from '@/lib/cli/terminal/operator';
import { progress } from '@/lib/cli/terminal/output';
import { withStoredAddresses } from '@/lib/config/addresses';
import { storeSecrets } from '@/lib/config/data-dir';
import type { ConnectedSettings, Settings } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { findRunningEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';
import { createLog } from '@/lib/log/log';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { StartError, startSettings } from '@/lib/processes/start-settings';
import type { Runtime } from '@/lib/runtime/runtime';
import { checkDeployment, type DeploymentNeeds } from './check-deployment';
import { claimInstance, isClaim } from './instance';
import { checkDatabase, prepareDataDir, startOwnDatabase } from './open-database';

export interface CommandRuntime extends Runtime {
  /** The person who runs the command, for the audit log. */
  readonly actor: Actor;
}

/**
 * Runs a command with the database: the one of DATABASE_URL, the embedded one of a running instance, or an embedded one that is started
 * only for this command.
 */
export async function withRuntime<Value>(
  work: (runtime: CommandRuntime) => Promise<Value>,
  { anySchema = false, databaseNeed = 'serves' }: DeploymentNeeds = {},
): Promise<Value> {
  const actor = thisOperator();
  const settings = startSettings();
  const log = createLog({ level: 'silent', format: 'json', process: 'cli' });
  return withDatabase(settings, async (connected) => {
    await checkDeployment(connected, { anySchema, databaseNeed });
    const runtime = buildRuntime({ settings: { ...connected, DATABASE_POOL_SIZE: 4 }, process: 'cli', log, databaseNeed });
    try {
      return await work({ ...runtime, actor });
    } finally {
      await runtime.db.close();
    }
  });
}

/** Runs `work` with settings whose database is reachable. */
export async function withDatabase<Value>(settings: Settings, work: (connected: ConnectedSettings) => Promise<Value>): Promise<Value> {
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return work({ ...settings, DATABASE_URL, SECRET_KEY });
  }
  const claim = await claimInstance(await prepareDataDir(DATA_DIR), 'command');
  const own = await withStoredAddresses(settings, DATA_DIR, process.env);
  const { secretKey, ...passwords } = await storeSecrets(DATA_DIR, SECRET_KEY);
  if (!isClaim(claim)) {
    const running = await findRunningEmbedded(DATA_DIR, passwords.databasePassword);
    if (!running)
      throw new StartError(`The embedded database in ${DATA_DIR} is being started or stopped by process ${claim.pid}. Try again.`);
    return work({ ...own, DATABASE_URL: running, SECRET_KEY: secretKey });
  }
  try {
    if (!existsSync(join(DATA_DIR, 'postgres')))
      progress(`There is no database in ${DATA_DIR} yet. A new one is created. If your Bili uses another folder, set DATA_DIR to it.`);
    const embedded = await startOwnDatabase({ dataDir: DATA_DIR, ...passwords });
    try {
      await migrate(embedded.url);
      return await work({ ...own, DATABASE_URL: embedded.url, SECRET_KEY: secretKey });
    } finally {
      await embedded.stop();
    }
  } finally {
    await claim.release();
  }
}
