import { ExpectedError } from '@/lib/config/expected-error';
import { type ConnectedSettings, readSettings, type Settings } from '@/lib/config/settings';

/** Invalid settings or an unreachable database at start. The message is for the operator and is shown without a stack. */
export class StartError extends ExpectedError {
  override readonly name = 'StartError';
}

/** Reads the settings. Throws a StartError that names the invalid ones. */
export function startSettings(): Settings {
  const read = readSettings(process.env);
  if (!read.ok) throw new StartError(read.error.join('\n'));
  return read.value;
}

/** Reads the settings of a process that needs a database. Throws a StartError that names the invalid settings. */
export function connectedSettings(env: NodeJS.ProcessEnv): ConnectedSettings {
  const read = readSettings(env);
  if (!read.ok) throw new StartError(read.error.join('\n'));
  const { DATABASE_URL, SECRET_KEY } = read.value;
  if (!DATABASE_URL || !SECRET_KEY)
    throw new StartError('DATABASE_URL and SECRET_KEY are required. ("npm start" starts its own database and needs neither.)');
  return { ...read.value, DATABASE_URL, SECRET_KEY };
}
