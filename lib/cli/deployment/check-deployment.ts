import { deriveSecrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import { postgresError } from '@/lib/db/errors';
import { compareSchema, schemaProblem } from '@/lib/db/schema-version';
import type { SessionNeed } from '@/lib/db/session';
import { createLog } from '@/lib/log/log';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { StartError } from '@/lib/processes/start-settings';
import { findAnySecret, webhookContext } from '@/lib/webhooks/endpoint/endpoint-store';
import { databaseProblem } from './open-database';

export interface DeploymentNeeds {
  /** True if a database that lacks migrations of this version is accepted: for commands that report which migrations are missing. */
  readonly anySchema?: boolean;
  /** What the process needs from its database connections. The default, `serves`, has the strictest requirements. */
  readonly databaseNeed?: SessionNeed;
}

/** Throws a StartError if the database lacks migrations of this version, or was written with another SECRET_KEY. */
export async function checkDeployment(
  settings: ConnectedSettings,
  { anySchema = false, databaseNeed = 'serves' }: DeploymentNeeds = {},
): Promise<void> {
  const log = createLog({ level: 'silent', format: 'json', process: 'check' });
  const { db } = buildRuntime({ settings: { ...settings, DATABASE_POOL_SIZE: 1 }, process: 'check', log, databaseNeed });
  try {
    const schema = await compareSchema(db);
    if (schema.empty) throw new StartError('The database has no tables yet: run "npm run -s bili -- migrate" first.');
    const problem = schemaProblem(schema);
    if (problem && !anySchema) throw new StartError(problem);
    const found = await findAnySecret(db);
    if (found) deriveSecrets(settings.SECRET_KEY).decrypt(found.encryptedSecret, webhookContext(found));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw databaseProblem(error) ?? (postgresError(error) ? error : wrongKey());
  } finally {
    await db.close();
  }
}

function wrongKey(): StartError {
  return new StartError('SECRET_KEY is not the key with which this database was written. Set the right one.');
}
