import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The secrets of an embedded deployment. They are created at the first start and stored in DATA_DIR. */
const secretsSchema = z.object({ secretKey: z.string(), databasePassword: z.string(), superuserPassword: z.string() });

/** Returns whether a DATA_DIR has an embedded database. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/**
 * Returns the stored secrets, or creates and stores them. Throws if DATA_DIR is not writable, the file is damaged, or only the database is
 * there.
 * @param given the setting SECRET_KEY. If it is set, it replaces the stored or created `secretKey`.
 */
export async function storeSecrets(dataDir: string, given: string | undefined): Promise<z.infer<typeof secretsSchema>> {
  const path = join(dataDir, 'secrets.json');
  const stored = await readJson(path);
  if (stored) {
    const { data: secrets } = secretsSchema.safeParse(stored);
    if (!secrets) throw new Error(`${path} is damaged: it must contain secretKey, databasePassword and superuserPassword`);
    return given ? { ...secrets, secretKey: given } : secrets;
  }
  if (hasDatabase(dataDir)) {
    throw new Error(
      `${path} is missing, although ${dataDir} has a database. Restore this file from your backup of DATA_DIR: it has the passwords of the ` +
        'database and the key with which it was written.',
    );
  }
  const made = {
    secretKey: given ?? randomBytes(32).toString('base64'),
    databasePassword: randomBytes(24).toString('base64url'),
    superuserPassword: randomBytes(24).toString('base64url'),
  };
  await writePrivateJson(path, made);
  return made;
}

/** Returns the parsed JSON file, or undefined if it does not exist. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) throw new Error(`${path} is damaged: it is not valid JSON`);
    throw error;
  }
}

/** Writes a file atomically. Only its owner can read it. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(part, 0o600);
  await rename(part, path);
}
