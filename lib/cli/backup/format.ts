import { z } from 'zod';

/** The file that makes a backup complete. It is written last. */
export const MANIFEST = 'manifest.json';
export const DATABASE_PART = 'database.age';
export const SECRETS_PART = 'secrets.age';

/** The largest manifest that is read, bytes. */
export const MANIFEST_MAX = 64 * 1024;
/** The largest secrets part that is read, bytes. It has a few numbers for each merchant. */
export const SECRETS_MAX = 256 * 1024 * 1024;

const NAME = /^bili-\d{8}T\d{6}Z-[\da-f]{8}$/;

/** What everybody may know about a backup: it is not encrypted. */
export const manifestSchema = z.object({
  format: z.literal(1),
  name: z.string().regex(NAME),
  /** The version of Bili that wrote the backup. */
  version: z.string(),
  /** `dump`: the output of `pg_dump -Fc`, of an external database. `folder`: a tar archive of the data folder of the embedded one, zstd. */
  database: z.enum(['dump', 'folder']),
  /** The major version of the PostgreSQL server. */
  postgres: z.int().positive(),
  /** The newest migration of the database. */
  migration: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The encrypted parts. The size is in bytes. */
  parts: z
    .array(z.object({ name: z.enum([DATABASE_PART, SECRETS_PART]), size: z.int(), sha256: z.string().regex(/^[\da-f]{64}$/) }))
    .length(2),
});
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

const bigintText = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);

/** What is in the secrets part: everything that a restore needs besides the database. */
export const secretsSchema = z.object({
  secretKey: z.string(),
  /** The second master key, while the first is replaced. */
  secretKeyOther: z.string().optional(),
  /** Files of DATA_DIR by name. Empty for an external database. */
  files: z.record(z.string().regex(/^[\w-]+\.json$/), z.string()),
  /** The sums of the database, each with the least and the most that a restored copy may have. See {@link readFacts}. */
  sums: z.record(z.string(), z.tuple([bigintText, bigintText])),
  /** The heads of the audit log, as "bili audit head" prints them. */
  heads: z.array(z.string()),
});
export type BackupSecrets = Readonly<z.infer<typeof secretsSchema>>;

/** Returns a new name. Names sort by time. */
export function backupName(at: Date, random: Uint8Array): string {
  const time = at.toISOString().replace(/\.\d+|[-:]/g, '');
  return `bili-${time}-${Buffer.from(random).toString('hex')}`;
}

/** Returns when a backup began, by its name; undefined for the name of anything else. */
export function nameTime(name: string): Date | undefined {
  if (!NAME.test(name)) return undefined;
  return new Date(name.replace(/^bili-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)-.*$/, '$1-$2-$3:$4:$5'));
}
