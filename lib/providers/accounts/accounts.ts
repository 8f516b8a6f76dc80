import { timingSafeEqual } from 'node:crypto';
import { baseUrl } from '@/lib/config/settings';
import { isUuid } from '@/lib/core/ids';
import { NEUTRAL_PROVIDER, type ProviderAccount } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById, type StoredAccount } from './account-store';

type Needs = Pick<Runtime, 'secrets' | 'settings'>;

/** Decrypts the credentials of an account, and adds its callback address. */
export function openAccount({ secrets, settings }: Needs, { encryptedCredentials, ...account }: StoredAccount): ProviderAccount {
  const callbackUrl = `${baseUrl(settings, account.environment).origin}/callbacks/${NEUTRAL_PROVIDER}/${account.id}.${callbackToken(secrets, account.id)}`;
  return {
    ...account,
    callbackUrl,
    credentials: encryptedCredentials && secrets.decryptOften(encryptedCredentials, credentialsContext(account.id)),
  };
}

/** Encrypts credentials of an account. The result can be decrypted only with the id of the same account. */
export function encryptCredentials({ secrets }: Pick<Runtime, 'secrets'>, accountId: string, credentials: string): Uint8Array<ArrayBuffer> {
  return secrets.encrypt(credentials, credentialsContext(accountId));
}

/** Finds the account of a callback address; undefined if the token or the provider is wrong. */
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
  return account && [NEUTRAL_PROVIDER, account.provider].includes(provider) ? openAccount(runtime, account) : undefined;
}

function credentialsContext(accountId: string): string {
  return `provider-account:${accountId}`;
}

/** A cache of the secret tokens in callback addresses, by account id. Each call to a provider and each callback needs such a token. */
const knownTokens = new WeakMap<Runtime['secrets'], Map<string, string>>();
const KNOWN_TOKENS_MAX = 1_000;

function callbackToken(secrets: Runtime['secrets'], accountId: string): string {
  const known = knownTokens.get(secrets) ?? new Map<string, string>();
  knownTokens.set(secrets, known);
  const token = known.get(accountId) ?? secrets.token('callback', accountId);
  if (known.size >= KNOWN_TOKENS_MAX) known.clear();
  known.set(accountId, token);
  return token;
}
