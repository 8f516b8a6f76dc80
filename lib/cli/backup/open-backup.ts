import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { UserError } from '@/lib/cli/terminal/output';
import { decrypt, Meter } from './encryption';
import type { BackupStore } from './folder-store';
import {
  type BackupSecrets,
  DATABASE_PART,
  MANIFEST,
  MANIFEST_MAX,
  type Manifest,
  manifestSchema,
  nameTime,
  SECRETS_MAX,
  SECRETS_PART,
  secretsSchema,
} from './format';

export interface OpenedBackup {
  readonly manifest: Manifest;
  readonly secrets: BackupSecrets;
  /** Returns the decrypted database: a dump, or a tar archive. */
  database(): Promise<Readable>;
}

/** Returns the names of the complete backups of a store, and of those that lack their manifest, oldest first. */
export async function listNames(
  store: BackupStore,
): Promise<{ readonly complete: readonly string[]; readonly incomplete: readonly string[] }> {
  const paths = (await store.list()).map((path) => path.split('/'));
  const names = [...new Set(paths.map(([name = '']) => name))].filter((name) => nameTime(name) !== undefined).sort();
  const complete = new Set(paths.flatMap(([name = '', part]) => (part === MANIFEST ? [name] : [])));
  return { complete: names.filter((name) => complete.has(name)), incomplete: names.filter((name) => !complete.has(name)) };
}

/** Reads the manifest of a backup. Throws a UserError if it is not valid. */
export async function readManifest(store: BackupStore, name: string): Promise<Manifest> {
  const manifest = readAs(manifestSchema, await readText(await store.read(`${name}/${MANIFEST}`), MANIFEST_MAX), `The manifest of ${name}`);
  if (manifest.name !== name) throw new UserError(`The manifest of ${name} is that of ${manifest.name}.`);
  return manifest;
}

/**
 * Opens a backup: verifies the SHA-256 of its parts, and decrypts the secrets.
 * @param wanted the name of the backup; the newest complete one if absent.
 * @throws a UserError if there is none, if a part is damaged, or if no identity fits.
 */
export async function openBackup(
  store: BackupStore,
  { wanted, identities }: { readonly wanted: string | undefined; readonly identities: readonly string[] },
): Promise<OpenedBackup> {
  const { complete } = await listNames(store);
  const name = wanted ?? complete.at(-1);
  if (name === undefined || !complete.includes(name))
    throw new UserError(`There is no complete backup${wanted ? ` ${wanted}` : ''} there.`);
  const manifest = await readManifest(store, name);
  const part = async (wantedPart: string): Promise<Readable> => {
    const expected = manifest.parts.find((one) => one.name === wantedPart);
    if (!expected) throw new UserError(`The manifest of ${name} does not have the part ${wantedPart}.`);
    return joined(await store.read(`${name}/${wantedPart}`), new Meter(expected));
  };
  for (const { name: one } of manifest.parts) await drain(await part(one));
  const secrets = await readText(await decrypt(await part(SECRETS_PART), identities), SECRETS_MAX);
  return {
    manifest,
    secrets: readAs(secretsSchema, secrets, `The part ${SECRETS_PART} of ${name}`),
    async database() {
      const plain = await decrypt(await part(DATABASE_PART), identities);
      return manifest.database === 'folder' ? joined(plain, createZstdDecompress()) : plain;
    },
  };
}

/** Passes one stream into another. If one fails or is closed, so is the other. */
export function joined<Target extends NodeJS.ReadWriteStream & Readable>(source: Readable, target: Target): Target {
  pipeline(source, target).catch((error: Error) => target.destroy(error));
  return target;
}

async function drain(stream: Readable): Promise<void> {
  stream.resume();
  await new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
}

async function readText(stream: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) throw new UserError(`A part of the backup is larger than ${most} bytes.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString();
}

function readAs<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError(`${what} is damaged: it is not valid JSON.`);
  }
  const { data, error } = schema.safeParse(value);
  if (data === undefined) {
    throw new UserError(
      `${what} cannot be read by this version of Bili: ${error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')}.`,
    );
  }
  return data;
}
