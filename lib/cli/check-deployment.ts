import { deriveSecrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import { postgresError } from '@/lib/db/database';
import { compareSchema, schemaProblem } from '@/lib/db/schema-version';
import { createLog } from '@/lib/log/log';
import { buildRuntime, StartError } from '@/lib/server/process-runtime';
import { findAnyEndpoint, webhookContext } from '@/lib/webhooks/endpoint-store';
import { databaseProblem } from './connect';

/**
 * Throws a StartError when the database lacks migrations of this version, or was written under another SECRET_KEY.
 * @param anySchema also accepts an older database, for a command that reports on it.
 */
export async function checkDeployment(settings: ConnectedSettings, { anySchema = false } = {}): Promise<void> {
  const log = createLog({ level: 'silent', format: 'json', process: 'check' });
  const { db } = buildRuntime({ settings: { ...settings, DATABASE_POOL_SIZE: 1 }, process: 'check', log });
  try {
    const schema = await compareSchema(db);
    if (schema.empty) throw new StartError('The database has no tables yet: run "npm run -s bili -- migrate" first.');
    const problem = schemaProblem(schema);
    if (problem && !anySchema) throw new StartError(problem);
    const endpoint = await findAnyEndpoint(db);
    if (endpoint) deriveSecrets(settings.SECRET_KEY).decrypt(endpoint.encryptedSecret, webhookContext(endpoint));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw databaseProblem(error) ?? (postgresError(error) ? error : wrongKey());
  } finally {
    await db.close();
  }
}

function wrongKey(): StartError {
  return new StartError('SECRET_KEY is not the one that this database was written with: set the right one.');
}
