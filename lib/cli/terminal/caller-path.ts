import { resolve } from 'node:path';

/** @returns a path that the caller gave, relative to the folder of the caller and not to the one where Bili is installed. */
export function callerPath(path: string): string {
  return resolve(process.env.BILI_CALLER_FOLDER ?? '', path);
}
