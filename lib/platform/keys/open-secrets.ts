import { createSecrets, type DerivedKeys, firstKeys, type MasterKeys, PURPOSES, type Secrets } from '@/lib/platform/config/secrets';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import { derivedKey } from '@/lib/platform/db/generated/tables';
import { arrays, pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const UNDEFINED_TABLE = '42P01';

const STORED = pick(derivedKey, 'purpose encryptedKey');

const LIST_DERIVED_KEYS = statement({
  name: 'list derived keys',
  text: 'SELECT purpose, encrypted_key AS "encryptedKey" FROM derived_key',
  columns: STORED,
});

const INSERT_DERIVED_KEYS = statement({
  name: 'insert derived keys',
  text: `INSERT INTO derived_key (purpose, encrypted_key, created_at)
         SELECT purpose, key, clock_timestamp() FROM unnest($purpose::text[], $encryptedKey::bytea[]) AS k (purpose, key)
         ON CONFLICT (purpose) DO NOTHING`,
  parameters: arrays(STORED),
});

/** The master keys of the settings are not those with which this database was written, or they are not enough. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

export function derivedKeyContext(purpose: string): string {
  return `derived-key:${purpose}`;
}

/** Encrypts a derived key for its row. The key is the text of its bytes in base64. */
export function encryptDerivedKey(secrets: Pick<Secrets, 'encrypt'>, purpose: string, key: Buffer): Uint8Array<ArrayBuffer> {
  return secrets.encrypt(key.toString('base64'), derivedKeyContext(purpose));
}

/**
 * Loads the stored keys. A purpose without a stored key gets one: the key that is derived from the master key. Several processes may do so at
 * once: one of them stores its key, and the others read it. Throws a MasterKeyError if the keys cannot be decrypted, or if there is more
 * than one master key from which the first keys could be derived.
 * @param store whether missing keys are stored. Otherwise they are only derived, for commands that change nothing.
 */
export async function openSecrets(db: Queryable, masters: MasterKeys, { store = true } = {}): Promise<Secrets> {
  const bare = createSecrets(masters);
  const stored = await readDerivedKeys(db, bare);
  const missing = PURPOSES.filter((purpose) => !stored?.has(purpose));
  if (missing.length === 0) return createSecrets(masters, stored);
  if (stored?.size === 0 && masters.SECRET_KEY_OTHER !== undefined) {
    throw new MasterKeyError(
      'This database has no stored keys yet: start Bili once without SECRET_KEY_OTHER. Then the master key can be replaced.',
    );
  }
  const first = firstKeys(masters.SECRET_KEY);
  if (!stored || !store) return createSecrets(masters, new Map([...first, ...(stored ?? [])]));
  const rows = missing.flatMap((purpose) => {
    const key = first.get(purpose);
    return key ? [{ purpose, encryptedKey: encryptDerivedKey(bare, purpose, key) }] : [];
  });
  await INSERT_DERIVED_KEYS.rows(db, columnsOf(rows, INSERT_DERIVED_KEYS.parameters));
  return createSecrets(masters, await readDerivedKeys(db, bare));
}

/** Returns the stored keys; undefined if the database has no table of them yet. Keys of purposes of another version are left out. */
async function readDerivedKeys(db: Queryable, secrets: Secrets): Promise<DerivedKeys | undefined> {
  const rows = await LIST_DERIVED_KEYS.rows(db, {}).catch((error: unknown) => {
    if (postgresError(error)?.code === UNDEFINED_TABLE) return undefined;
    throw error;
  });
  if (!rows) return undefined;
  const stored = new Map(rows.map(({ purpose, encryptedKey }) => [purpose, encryptedKey]));
  return new Map(
    PURPOSES.flatMap((purpose) => {
      const encrypted = stored.get(purpose);
      return encrypted ? [[purpose, decryptKey(secrets, purpose, encrypted)] as const] : [];
    }),
  );
}

function decryptKey(secrets: Secrets, purpose: string, encrypted: Uint8Array): Buffer {
  try {
    return Buffer.from(secrets.decrypt(encrypted, derivedKeyContext(purpose)), 'base64');
  } catch {
    throw new MasterKeyError('SECRET_KEY is not the key with which this database was written. Set the right one.');
  }
}
