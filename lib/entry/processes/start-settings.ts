import { ExpectedError } from '@/lib/platform/config/expected-error';
import { type ConnectedSettings, readSettings, type Settings } from '@/lib/platform/config/settings';

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

/** Explains why a port could not be opened, and what to do. */
export function portProblem(error: unknown, port: number, host: string | undefined): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what uses it, or set PORT and SANDBOX_PORT to free ports.`;
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set PORT and SANDBOX_PORT to ports above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST "${host}" is no address of this machine: correct it, or leave it out to listen on all.`;
  return `Port ${port} could not be opened: ${error instanceof Error ? error.message : String(error)}`;
}
