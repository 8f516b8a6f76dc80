import { thisOperator } from '@/lib/cli/terminal/operator';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { StartError, startSettings } from '@/lib/entry/processes/start-settings';
import { withStoredAddresses } from '@/lib/platform/config/addresses';
import type { ConnectedSettings, Settings } from '@/lib/platform/config/settings';
import type { Actor } from '@/lib/platform/core/actor';
import { type EmbeddedUrls, findRunningEmbedded } from '@/lib/platform/db/embedded';
import { migrate } from '@/lib/platform/db/migrate';
import { refreshHold } from '@/lib/platform/hold/hold';
import { createLog } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { checkDeployment, type DeploymentNeeds } from './check-deployment';
import { claimInstance, isClaim, needClaim } from './instance';
import { checkDatabase, needDataDir, startOwnDatabase, storeOwnSecrets } from './open-database';

export interface CommandRuntime extends Runtime {
  /** The person who runs the command, for the audit log. */
  readonly actor: Actor;
  /** The URL of the embedded server for its superuser. Absent for an external database. */
  readonly superuserUrl?: string | undefined;
}

/**
 * Runs a command with the database: the one of DATABASE_URL, the embedded one of a running instance, or an embedded one that is started
 * only for this command.
 */
export async function withRuntime<Value>(
  work: (runtime: CommandRuntime) => Promise<Value>,
  { anySchema = false, anyKey = false, databaseNeed = 'serves' }: DeploymentNeeds = {},
): Promise<Value> {
  const actor = thisOperator();
  const settings = startSettings();
  const log = createLog({ level: 'silent', format: 'json', process: 'cli' });
  return withDatabase(settings, async (connected) => {
    const secrets = await checkDeployment(connected, { anySchema, anyKey, databaseNeed });
    const runtime = buildRuntime({ settings: { ...connected, DATABASE_POOL_SIZE: 4 }, process: 'cli', secrets, log, databaseNeed });
    try {
      // The schema of a command that accepts any may be too old to have the table. Such a command calls nobody.
      if (!anySchema) await refreshHold(runtime);
      return await work({ ...runtime, actor, superuserUrl: connected.superuserUrl });
    } finally {
      await runtime.db.close();
    }
  });
}

/** Runs `work` with settings whose database is reachable. Never creates a database. */
export async function withDatabase<Value>(
  settings: Settings,
  work: (connected: ConnectedSettings & Partial<EmbeddedSettings>) => Promise<Value>,
): Promise<Value> {
  const { DATABASE_URL, SECRET_KEY } = settings;
  if (!DATABASE_URL || !SECRET_KEY) return withEmbedded(settings, work);
  await checkDatabase(DATABASE_URL);
  return work({ ...settings, DATABASE_URL, SECRET_KEY });
}

interface EmbeddedSettings extends ConnectedSettings {
  readonly superuserUrl: string;
}

/**
 * Runs `work` with the embedded database, also if DATABASE_URL is set.
 * @param alone whether no other process may use the database meanwhile. Throws a StartError if Bili runs.
 */
export async function withEmbedded<Value>(
  settings: Settings,
  work: (connected: EmbeddedSettings) => Promise<Value>,
  alone = false,
): Promise<Value> {
  const { SECRET_KEY, SECRET_KEY_OTHER, DATA_DIR } = settings;
  const claim = await claimInstance(await needDataDir(DATA_DIR), 'command');
  try {
    if (alone) needClaim(claim, DATA_DIR);
    const own = await withStoredAddresses(settings, DATA_DIR, process.env);
    const { secretKey, otherSecretKey = SECRET_KEY_OTHER, ...passwords } = await storeOwnSecrets(DATA_DIR, SECRET_KEY);
    const keys = { SECRET_KEY: secretKey, SECRET_KEY_OTHER: otherSecretKey };
    const connect = ({ url, ownerUrl, superuserUrl }: EmbeddedUrls) =>
      work({ ...own, ...keys, DATABASE_URL: url, MIGRATE_DATABASE_URL: ownerUrl, superuserUrl });
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
