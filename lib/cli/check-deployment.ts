import { deriveSecrets } from '@/lib/config/secrets';
import type { ConnectedSettings } from '@/lib/config/settings';
import { postgresError } from '@/lib/db/database';
import { createLog } from '@/lib/log/log';
import { buildRuntime, StartError } from '@/lib/server/process-runtime';
import { findAnyEndpoint, webhookContext } from '@/lib/webhooks/endpoint-store';
import { databaseProblem } from './connect';

const UNDEFINED_TABLE = '42P01';

/** Throws a StartError when the database has no tables, or was written under another SECRET_KEY. */
export async function checkDeployment(settings: ConnectedSettings): Promise<void> {
  const log = createLog({ level: 'silent', format: 'json', process: 'check' });
  const { db } = buildRuntime({ settings: { ...settings, DATABASE_POOL_SIZE: 1 }, process: 'check', log });
  try {
    const endpoint = await findAnyEndpoint(db);
    if (endpoint) deriveSecrets(settings.SECRET_KEY).decrypt(endpoint.encryptedSecret, webhookContext(endpoint));
  } catch (error) {
    if (postgresError(error)?.code === UNDEFINED_TABLE) {
      throw new StartError('The database has no tables yet: run "npm run -s bili -- migrate" first.');
    }
    throw databaseProblem(error) ?? (postgresError(error) ? error : wrongKey());
  } finally {
    await db.close();
  }
}

function wrongKey(): StartError {
  return new StartError('SECRET_KEY is not the one that this database was written with: set the right one.');
}
