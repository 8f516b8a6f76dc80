import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets of an embedded deployment. They are created at the first start and stored in DATA_DIR. */
interface KeptSecrets {
  readonly secretKey: string;
  readonly databasePassword: string;
  readonly superuserPassword: string;
}

/** Returns the stored secrets, or creates them. Throws if DATA_DIR is not writable or the file is damaged. */
export async function storeSecrets(dataDir: string, given: string | undefined): Promise<KeptSecrets> {
  const path = join(dataDir, 'secrets.json');
  const stored = await readJson(path);
  if (stored) {
    if (!isStoredSecrets(stored)) throw new Error(`${path} is damaged: it must contain secretKey, databasePassword and superuserPassword`);
    return given ? { ...stored, secretKey: given } : stored;
  }
  const made = {
    secretKey: given ?? randomBytes(32).toString('base64'),
    databasePassword: randomBytes(24).toString('base64url'),
    superuserPassword: randomBytes(24).toString('base64url'),
  };
  await writePrivateJson(path, made);
  return made;
}

function isStoredSecrets(value: unknown): value is KeptSecrets {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['secretKey', 'databasePassword', 'superuserPassword'].every((name) => name in value && typeof Reflect.get(value, name) === 'string')
  );
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
