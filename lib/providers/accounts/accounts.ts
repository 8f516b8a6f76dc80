import { timingSafeEqual } from 'node:crypto';
import { baseUrl } from '@/lib/config/settings';
import { isUuid } from '@/lib/core/ids';
import type { ProviderAccount } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById, type StoredAccount } from './account-store';

type Needs = Pick<Runtime, 'secrets' | 'settings'>;

/** @returns the account with readable credentials, and the address the provider calls back at. */
export function openAccount({ secrets, settings }: Needs, { encryptedCredentials, ...account }: StoredAccount): ProviderAccount {
  const callbackUrl = `${baseUrl(settings, account.environment).origin}/callbacks/${account.provider}/${account.id}.${callbackToken(secrets, account.id)}`;
  return {
    ...account,
    callbackUrl,
    credentials: encryptedCredentials && secrets.decrypt(encryptedCredentials, credentialsContext(account.id)),
  };
}

/** @returns credentials as they are stored: readable only as those of this account. */
export function sealCredentials({ secrets }: Pick<Runtime, 'secrets'>, accountId: string, credentials: string): Uint8Array<ArrayBuffer> {
  return secrets.encrypt(credentials, credentialsContext(accountId));
}

/** @returns the account that a callback's address belongs to; undefined when the token does not fit. */
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

function callbackToken(secrets: Runtime['secrets'], accountId: string): string {
  return secrets.token('callback', accountId);
}
