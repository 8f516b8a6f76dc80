import { timingSafeEqual } from 'node:crypto';
import { baseUrl } from '@/lib/config/settings';
import { isUuid } from '@/lib/core/ids';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById, type StoredAccount } from './account-store';

type Needs = Pick<Runtime, 'secrets' | 'settings'>;

/** Decrypts the credentials of an account, and adds its callback address. */
export function openAccount({ secrets, settings }: Needs, { encryptedCredentials, ...account }: StoredAccount): ProviderAccount {
  const callbackUrl = `${baseUrl(settings, account.environment).origin}/callbacks/${account.provider}/${account.id}.${callbackToken(secrets, account.id)}`;
  return {
    ...account,
    callbackUrl,
    credentials: encryptedCredentials && decryptCredentials(secrets, account.id, encryptedCredentials),
  };
}

interface Decrypted {
  readonly encrypted: Uint8Array;
  readonly credentials: string;
}

/** The credentials that this process has decrypted, by account id. Each call and each callback needs them, and decryption is slow. */
const decryptedOf = new WeakMap<Runtime['secrets'], Map<string, Decrypted>>();

function decryptCredentials(secrets: Runtime['secrets'], accountId: string, encrypted: Uint8Array): string {
  const decrypted = remembered(decryptedOf, secrets);
  const known = decrypted.get(accountId);
  if (known && Buffer.compare(known.encrypted, encrypted) === 0) return known.credentials;
  const credentials = secrets.decrypt(encrypted, credentialsContext(accountId));
  decrypted.set(accountId, { encrypted, credentials });
  return credentials;
}

/** Encrypts credentials. The ciphertext is bound to this account: it cannot be decrypted as another account's. */
export function encryptCredentials({ secrets }: Pick<Runtime, 'secrets'>, accountId: string, credentials: string): Uint8Array<ArrayBuffer> {
  return secrets.encrypt(credentials, credentialsContext(accountId));
}

/** Finds the account of a callback address; undefined if the token is wrong. */
export async function findAccountByToken(
  runtime: Needs & Pick<Runtime, 'db'>,
  provider: string,
  token: string,
): Promise<ProviderAccount | undefined> {
  const [id = '', mac = ''] = token.split('.');
  if (!isUuid(id)) return undefined;
  const expected = Buffer.from(callbackToken(runtime.secrets, id));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const account = await findAccountById(runtime.db, id);
  return account?.provider === provider ? openAccount(runtime, account) : undefined;
}

function credentialsContext(accountId: string): string {
  return `provider-account:${accountId}`;
}

/** The tokens of this process, by account id. Each call and each callback needs one. */
const tokensOf = new WeakMap<Runtime['secrets'], Map<string, string>>();

function callbackToken(secrets: Runtime['secrets'], accountId: string): string {
  const tokens = remembered(tokensOf, secrets);
  const token = tokens.get(accountId) ?? secrets.token('callback', accountId);
  tokens.set(accountId, token);
  return token;
}

const REMEMBERED_MAX = 1_000;

/** Returns what a process remembers under its secrets. Forgets everything at the limit. */
function remembered<Value>(memory: WeakMap<Runtime['secrets'], Map<string, Value>>, secrets: Runtime['secrets']): Map<string, Value> {
  const known = memory.get(secrets);
  if (known && known.size < REMEMBERED_MAX) return known;
  const fresh = new Map<string, Value>();
  memory.set(secrets, fresh);
  return fresh;
}
