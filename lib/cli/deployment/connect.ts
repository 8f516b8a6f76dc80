import { thisOperator } from '@/lib/cli/terminal/operator';
import { withStoredAddresses } from '@/lib/config/addresses';
import type { ConnectedSettings, Settings } from '@/lib/config/settings';
import type { Actor } from '@/lib/core/actor';
import { type DatabaseUrls, findRunningEmbedded } from '@/lib/db/embedded';
import { migrate } from '@/lib/db/migrate';
import { createLog } from '@/lib/log/log';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { StartError, startSettings } from '@/lib/processes/start-settings';
import type { Runtime } from '@/lib/runtime/runtime';
import { checkDeployment, type DeploymentNeeds } from './check-deployment';
import { claimInstance, isClaim } from './instance';
import { checkDatabase, needDataDir, startOwnDatabase, storeOwnSecrets } from './open-database';

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

/** Runs `work` with settings whose database is reachable. Never creates a database. */
export async function withDatabase<Value>(settings: Settings, work: (connected: ConnectedSettings) => Promise<Value>): Promise<Value> {
  const { DATABASE_URL, SECRET_KEY, DATA_DIR } = settings;
  if (DATABASE_URL && SECRET_KEY) {
    await checkDatabase(DATABASE_URL);
    return work({ ...settings, DATABASE_URL, SECRET_KEY });
  }
  const claim = await claimInstance(await needDataDir(DATA_DIR), 'command');
  try {
    const own = await withStoredAddresses(settings, DATA_DIR, process.env);
    const { secretKey, ...passwords } = await storeOwnSecrets(DATA_DIR, SECRET_KEY);
    const connect = ({ url, ownerUrl }: DatabaseUrls) =>
      work({ ...own, DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl, SECRET_KEY: secretKey });
    if (!isClaim(claim)) {
      const running = await findRunningEmbedded(DATA_DIR, passwords);
      if (running) return await connect(running);
      throw new StartError(`The embedded database in ${DATA_DIR} is being started or stopped by process ${claim.pid}. Try again.`);
    }
    const embedded = await startOwnDatabase({ dataDir: DATA_DIR, ...passwords });
    try {
      await migrate(embedded.ownerUrl, { applicationUrl: embedded.url });
      return await connect(embedded);
    } finally {
      await embedded.stop();
    }
  } finally {
    if (isClaim(claim)) await claim.release();
  }
}
