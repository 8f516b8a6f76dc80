import { constants, generateKeyPair, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock, Random } from '@/lib/core/clock';

const generate = promisify(generateKeyPair);

interface AccessOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly keyBits: number;
  readonly sessionMs: number;
  /** How long the simulator refuses a new session after it was opened, milliseconds. */
  readonly warmupMs: number;
}

/** Access control of the simulated M-Pesa: one application, its API key and its sessions. */
export type Access = Awaited<ReturnType<typeof createAccess>>;

export async function createAccess({ clock, random, keyBits, sessionMs, warmupMs }: AccessOptions) {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: keyBits });
  let apiKey = hex(random(16));
  const sessions = new Map<string, number>();
  let opened = 0;
  /** Caches the secret of the last Authorization header. Clients repeat the header, and decryption takes most of the time of a call. */
  let last: { readonly authorization: string; readonly secret: string } | null = null;

  function decryptSecret(authorization = ''): string | null {
    if (last?.authorization === authorization) return last.secret;
    const encrypted = /^Bearer ([A-Za-z0-9+/=]+)$/.exec(authorization)?.[1];
    if (!encrypted) return null;
    try {
      const options = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
      const secret = privateDecrypt(options, Buffer.from(encrypted, 'base64')).toString('utf8');
      last = { authorization, secret };
      return secret;
    } catch {
      return null;
    }
  }

  return {
    get apiKey(): string {
      return apiKey;
    },
    /** Replaces the API key. Open sessions stay valid. */
    setApiKey(key: string): void {
      apiKey = key;
    },
    /** DER (SPKI) in base64, as the portal shows it. */
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    /** Returns the id of a new session; null if the Authorization header does not contain the API key. */
    openSession(authorization: string | undefined): string | null {
      if (decryptSecret(authorization) !== apiKey) return null;
      const id = hex(random(16));
      sessions.set(id, clock().getTime());
      opened += 1;
      return id;
    },
    /** Returns whether the Authorization header contains the id of a session that is valid now. */
    admits(authorization: string | undefined): boolean {
      const openedAt = sessions.get(decryptSecret(authorization) ?? '');
      if (openedAt === undefined) return false;
      const age = clock().getTime() - openedAt;
      return age >= warmupMs && age < sessionMs;
    },
    endSessions: () => sessions.clear(),
    /** Returns the number of sessions opened so far. */
    sessionsOpened: () => opened,
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
