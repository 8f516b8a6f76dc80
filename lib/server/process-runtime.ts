import { randomBytes } from 'node:crypto';
import { armFailPoint } from '@/lib/config/fail-point';
import type { Runtime } from '@/lib/config/runtime';
import { deriveSecrets } from '@/lib/config/secrets';
import { type ConnectedSettings, readSettings } from '@/lib/config/settings';
import { openDatabase } from '@/lib/db/database';
import { createLog, type Log } from '@/lib/log/log';
import { checkTransitions } from '@/lib/payments/state';
import { REVERSAL_TRANSITIONS } from '@/lib/reversals/state';

/** Settings that are wrong, or a database that is not there: said in a sentence, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** @returns the settings of a process that needs a database. Throws a StartError that says which is wrong. */
export function connectedSettings(env: NodeJS.ProcessEnv): ConnectedSettings {
  const read = readSettings(env);
  if (!read.ok) throw new StartError(read.error.join('\n'));
  const { DATABASE_URL, SECRET_KEY } = read.value;
  if (!DATABASE_URL || !SECRET_KEY)
    throw new StartError('DATABASE_URL and SECRET_KEY are required here; "npm start" brings its own database.');
  return { ...read.value, DATABASE_URL, SECRET_KEY };
}

interface RuntimeOptions {
  readonly settings: ConnectedSettings;
  readonly process: string;
  readonly log?: Log;
}

/** Builds what every use case runs in. Opens no connection yet. */
export function buildRuntime({
  settings,
  process: name,
  log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, process: name }),
}: RuntimeOptions): Runtime {
  checkTransitions();
  checkTransitions(REVERSAL_TRANSITIONS);
  armFailPoint(settings.FAILPOINT);
  return {
    settings,
    log,
    secrets: deriveSecrets(settings.SECRET_KEY),
    db: openDatabase({
      url: settings.DATABASE_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      onError: (error) => log.warn({ err: error }, 'an idle database connection failed'),
    }),
    clock: () => new Date(),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
  };
}
