import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, webhookContext } from './endpoint-store';

type Encrypted = Scope & Pick<Endpoint, 'encryptedSecret' | 'encryptedPreviousSecret' | 'previousSecretUntil'>;

/** @returns every secret that signs at this moment, the present one first. */
export function signingSecrets({ secrets }: Pick<Runtime, 'secrets'>, endpoint: Encrypted, now: Date): string[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, previousSecretUntil: until } = endpoint;
  const context = webhookContext(endpoint);
  const present = secrets.decrypt(encryptedSecret, context);
  return previous && until && now < until ? [present, secrets.decrypt(previous, context)] : [present];
}
