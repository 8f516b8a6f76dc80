import { resolve } from 'node:path';

/** Resolves a path relative to the caller's folder, not to the folder where Bili is installed. */
export function callerPath(path: string): string {
  return resolve(process.env.BILI_CALLER_FOLDER ?? '', path);
}
