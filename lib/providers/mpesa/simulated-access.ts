import { constants, generateKeyPair, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock, Random } from '@/lib/core/clock';

const generate = promisify(generateKeyPair);

interface AccessOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly keyBits: number;
  /** How long a session lives, and how long after it was made it starts to work. */
  readonly sessionMs: number;
  readonly warmupMs: number;
}

/** Who may call the simulated platform: one application, its API key, and the sessions it has opened. */
export interface Access {
  readonly apiKey: string;
  /** Sessions are opened with this key alone from now on; those that are open stay. */
  setApiKey(key: string): void;
  /** Base64 of the DER of the SPKI, as the portal shows it. */
  readonly publicKey: string;
  /** @returns a new session's id, or null when the header does not carry the API key. */
  openSession(authorization: string | undefined): string | null;
  /** Whether the header carries a session that has started and not ended. */
  admits(authorization: string | undefined): boolean;
  endSessions(): void;
  /** How many there have been. */
  sessionsOpened(): number;
}

export async function createAccess({ clock, random, keyBits, sessionMs, warmupMs }: AccessOptions): Promise<Access> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: keyBits });
  let apiKey = hex(random(16));
  const sessions = new Map<string, number>();
  let opened = 0;

  function secretIn(authorization: string | undefined): string | null {
    const sealed = /^Bearer ([A-Za-z0-9+/=]+)$/.exec(authorization ?? '')?.[1];
    if (!sealed) return null;
    try {
      return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(sealed, 'base64')).toString('utf8');
    } catch {
      return null;
    }
  }

  return {
    get apiKey() {
      return apiKey;
    },
    setApiKey(key) {
      apiKey = key;
    },
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    openSession(authorization) {
      if (secretIn(authorization) !== apiKey) return null;
      const id = hex(random(16));
      sessions.set(id, clock().getTime());
      opened += 1;
      return id;
    },
    admits(authorization) {
      const openedAt = sessions.get(secretIn(authorization) ?? '');
      if (openedAt === undefined) return false;
      const age = clock().getTime() - openedAt;
      return age >= warmupMs && age < sessionMs;
    },
    endSessions: () => sessions.clear(),
    sessionsOpened: () => opened,
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
