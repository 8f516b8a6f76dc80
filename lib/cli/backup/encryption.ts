import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { UserError } from '@/lib/cli/terminal/output';
import { fromWeb, toWeb } from './web-streams';

/** Creates a key pair of age. The recipient encrypts; only the identity decrypts. */
export async function makeIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Checks a recipient. Throws a UserError if it is not valid. */
export function checkRecipient(recipient: string): void {
  try {
    new Encrypter().addRecipient(recipient);
  } catch {
    throw new UserError(`"${recipient.slice(0, 100)}" is no recipient. "bili backup key" prints one: age1…`);
  }
}

/** Reads the identities of a file of age: one a line, and comments that begin with #. Throws a UserError if there is none. */
export function readIdentities(text: string): string[] {
  const identities = text.split(/\r?\n/).filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new UserError('The identity file has no line that begins with AGE-SECRET-KEY-.');
  return identities;
}

/** Encrypts a stream with the format of age (https://age-encryption.org/v1). */
export async function encrypt(source: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(source)));
}

/** Decrypts a stream. Throws a UserError if no identity fits. The stream fails if it was changed or cut off. */
export async function decrypt(source: Readable, identities: readonly string[]): Promise<Readable> {
  try {
    const decrypter = new Decrypter();
    for (const identity of identities) decrypter.addIdentity(identity);
    return fromWeb(await decrypter.decrypt(toWeb(source)));
  } catch (error) {
    source.destroy();
    throw new UserError(`The backup cannot be decrypted with this identity: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Passes a stream on, and calculates its size and its SHA-256. */
export class Meter extends Transform {
  size = 0;
  readonly #hash = createHash('sha256');

  constructor(readonly expected?: { readonly name: string; readonly size: number; readonly sha256: string }) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk: Buffer) => void): void {
    this.size += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Fails at the end if the content is not the expected one. */
  override _flush(done: (error?: Error) => void): void {
    const { expected } = this;
    const intact = !expected || (this.size === expected.size && this.sha256() === expected.sha256);
    done(
      intact ? undefined : new UserError(`The part ${expected.name} of the backup is damaged: its SHA-256 is not that of the manifest.`),
    );
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
