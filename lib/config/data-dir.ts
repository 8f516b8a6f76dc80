import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Secrets of an embedded deployment, made on the first start and kept in DATA_DIR. */
interface KeptSecrets {
  readonly secretKey: string;
  readonly databasePassword: string;
  readonly superuserPassword: string;
}

/** @returns the kept secrets, made now when there are none. Throws when DATA_DIR cannot be written or the file is damaged. */
export async function keepSecrets(dataDir: string, given: string | undefined): Promise<KeptSecrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await readJson(path);
  if (kept) {
    if (!isKeptSecrets(kept)) throw new Error(`${path} is damaged: it must hold secretKey, databasePassword and superuserPassword`);
    return given ? { ...kept, secretKey: given } : kept;
  }
  const made = {
    secretKey: given ?? randomBytes(32).toString('base64'),
    databasePassword: randomBytes(24).toString('base64url'),
    superuserPassword: randomBytes(24).toString('base64url'),
  };
  await writePrivateJson(path, made);
  return made;
}

function isKeptSecrets(value: unknown): value is KeptSecrets {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['secretKey', 'databasePassword', 'superuserPassword'].every((name) => name in value && typeof Reflect.get(value, name) === 'string')
  );
}

/** @returns the parsed file, or undefined when there is none. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) throw new Error(`${path} is damaged: it is no valid JSON`);
    throw error;
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(part, 0o600);
  await rename(part, path);
}
