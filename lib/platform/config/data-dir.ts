import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The secrets of an embedded deployment. They are created at the first start and stored in DATA_DIR. */
const secretsSchema = z.object({
  secretKey: z.string(),
  /** The master key that replaces `secretKey` as soon as all processes have it. */
  nextSecretKey: z.string().optional(),
  /** The master key that `secretKey` replaces, until nothing is encrypted with it any more. */
  previousSecretKey: z.string().optional(),
  databasePassword: z.string(),
  superuserPassword: z.string(),
});
type FileSecrets = z.infer<typeof secretsSchema>;

interface StoredSecrets extends Omit<FileSecrets, 'nextSecretKey' | 'previousSecretKey'> {
  /** The master key that only decrypts. */
  readonly otherSecretKey: string | undefined;
}

/** Returns the folder in a DATA_DIR into which an upgrade moves the data. */
export const upgradeFolder = (dataDir: string) => join(dataDir, 'upgrade');

/** Returns whether a DATA_DIR has an embedded database, perhaps one that an upgrade has not put into its place yet. */
export function hasDatabase(dataDir: string): boolean {
  return [dataDir, upgradeFolder(dataDir)].some((folder) => existsSync(join(folder, 'postgres', 'PG_VERSION')));
}

/**
 * Returns the stored secrets, or creates and stores them. Throws if DATA_DIR is not writable, the file is damaged, or only the database is
 * there.
 * @param given the setting SECRET_KEY. If it is set, it replaces the stored or created `secretKey`.
 */
export async function storeSecrets(dataDir: string, given: string | undefined): Promise<StoredSecrets> {
  const path = join(dataDir, SECRETS_FILE);
  const stored = await readSecrets(path);
  if (stored) {
    const { nextSecretKey, previousSecretKey, ...secrets } = stored;
    const otherSecretKey = nextSecretKey ?? previousSecretKey;
    return given ? { ...secrets, secretKey: given, otherSecretKey: undefined } : { ...secrets, otherSecretKey };
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
  return { ...made, otherSecretKey: undefined };
}

/** The file in DATA_DIR with the secrets. */
export const SECRETS_FILE = 'secrets.json';

async function readSecrets(path: string): Promise<FileSecrets | undefined> {
  const stored = await readJson(path);
  if (stored === undefined) return undefined;
  const { data: secrets } = secretsSchema.safeParse(stored);
  if (!secrets) throw new Error(`${path} is damaged: it must contain secretKey, databasePassword and superuserPassword`);
  return secrets;
}

/**
 * Takes one step of the replacement of the stored master key. A step that is already done changes nothing.
 * - `add`: stores a new key, with which the processes decrypt.
 * - `swap`: the new key encrypts, and the old one only decrypts.
 * - `drop`: removes the old key.
 */
export async function replaceStoredKey(dataDir: string, step: 'add' | 'swap' | 'drop'): Promise<void> {
  const path = join(dataDir, SECRETS_FILE);
  const secrets = await readSecrets(path);
  if (!secrets) throw new Error(`${path} is missing`);
  const { nextSecretKey, previousSecretKey, ...others } = secrets;
  if (step === 'add' && !nextSecretKey && !previousSecretKey) {
    await writePrivateJson(path, { ...others, nextSecretKey: randomBytes(32).toString('base64') });
  }
  if (step === 'swap' && nextSecretKey) {
    await writePrivateJson(path, { ...others, secretKey: nextSecretKey, previousSecretKey: secrets.secretKey });
  }
  if (step === 'drop' && previousSecretKey) await writePrivateJson(path, others);
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
