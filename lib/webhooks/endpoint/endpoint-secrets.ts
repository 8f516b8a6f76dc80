import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, webhookContext } from './endpoint-store';

type Encrypted = Scope & Pick<Endpoint, 'encryptedSecret' | 'encryptedPreviousSecret' | 'previousSecretUntil'>;

/** Returns the secrets that sign webhooks now: the current one, and for some time after a rotation also the previous one. */
export function signingSecrets({ secrets }: Pick<Runtime, 'secrets'>, endpoint: Encrypted, now: Date): string[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, previousSecretUntil: until } = endpoint;
  const context = webhookContext(endpoint);
  const current = secrets.decryptOften(encryptedSecret, context);
  return previous && until && now < until ? [current, secrets.decryptOften(previous, context)] : [current];
}
