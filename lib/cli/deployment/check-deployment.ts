import { StartError } from '@/lib/entry/processes/start-settings';
import { listLivingProcesses } from '@/lib/entry/processes/store';
import { findAnySecret, webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { createSecrets, firstKeys, type Secrets } from '@/lib/platform/config/secrets';
import type { ConnectedSettings } from '@/lib/platform/config/settings';
import { type Database, openDatabase } from '@/lib/platform/db/database';
import { compareSchema, schemaProblem } from '@/lib/platform/db/schema-version';
import type { SessionNeed } from '@/lib/platform/db/session';
import { MasterKeyError, openSecrets } from '@/lib/platform/keys/open-secrets';
import { databaseProblem } from './open-database';

export interface DeploymentNeeds {
  /** True if a database that lacks migrations of this version is accepted: for commands that report which migrations are missing. */
  readonly anySchema?: boolean;
  /** True if the database may have been written with another master key: for the command that replaces a lost one. */
  readonly anyKey?: boolean;
  /** What the process needs from its database connections. The default, `serves`, has the strictest requirements. */
  readonly databaseNeed?: SessionNeed;
}

/**
 * Checks that a process can use the database, and returns the secrets for its runtime. Throws a StartError if the database lacks migrations
 * of this version, was written with another master key, or is used by processes that could not read what this process encrypts.
 */
export async function checkDeployment(
  settings: ConnectedSettings,
  { anySchema = false, anyKey = false, databaseNeed = 'serves' }: DeploymentNeeds = {},
): Promise<Secrets> {
  const db = openDatabase({
    url: settings.DATABASE_URL,
    poolSize: 1,
    applicationName: 'bili-check',
    need: databaseNeed,
    onError: () => undefined,
  });
  try {
    const schema = await compareSchema(db);
    if (schema.empty) throw new StartError('The database has no tables yet: run "npm run -s bili -- migrate" first.');
    const problem = schemaProblem(schema);
    if (problem && !anySchema) throw new StartError(problem);
    if (anyKey) return createSecrets(settings, firstKeys(settings.SECRET_KEY));
    await checkKey(db, settings);
    const serves = databaseNeed === 'serves';
    const secrets = await openSecrets(db, settings, { store: serves });
    if (serves && !problem) await checkReaders(db, secrets);
    return secrets;
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof MasterKeyError) throw new StartError(error.message);
    throw databaseProblem(error) ?? error;
  } finally {
    await db.close();
  }
}

/** Checks the master key of a database that has no stored keys yet, because an older version has written it. */
async function checkKey(db: Database, settings: ConnectedSettings): Promise<void> {
  const found = await findAnySecret(db);
  try {
    if (found) createSecrets(settings).decrypt(found.encryptedSecret, webhookContext(found));
  } catch {
    throw new MasterKeyError('SECRET_KEY is not the key with which this database was written. Set the right one.');
  }
}

/** Throws a StartError if a process runs that does not have the master key with which this process would encrypt. */
async function checkReaders(db: Database, { keyIds: [current] }: Secrets): Promise<void> {
  const without = (await listLivingProcesses(db)).find(({ keyIds }) => keyIds.length > 0 && !keyIds.includes(current));
  if (without) {
    const { role, host, pid } = without;
    throw new StartError(
      `The ${role} process ${pid} on ${host} does not have the master key ${current} yet, so it could not read what this process encrypts. ` +
        'First give all processes this key as SECRET_KEY_OTHER.',
    );
  }
}
