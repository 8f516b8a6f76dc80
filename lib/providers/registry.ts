import type { CredentialField, ProviderAdapter } from '@/lib/providers/port/port';
import type { SessionStore } from '@/lib/providers/port/session-port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { createMpesaAdapter } from './mpesa/adapter';
import { MPESA_FIELDS } from './mpesa/credential-fields';
import { createSandboxAdapter } from './sandbox/adapter';

/** What is written into the file of an account's credentials, by the name of its provider; the simulated provider takes none. */
export const CREDENTIAL_FIELDS: Readonly<Record<string, readonly CredentialField[]>> = { mpesa: MPESA_FIELDS };

/** Every provider there is. Nothing else in the product knows an adapter by name. */
export interface ProviderRegistry {
  find(name: string): ProviderAdapter | undefined;
}

/**
 * @param sandboxUrl where this process reaches the simulated provider; null where it only reads callbacks.
 * @param sessions where sessions are kept; shared with every worker unless given.
 */
export function createRegistry(
  { db, secrets, settings, clock, random }: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock' | 'random'>,
  sandboxUrl: string | null,
  sessions: SessionStore = createSessionStore({ db, secrets }),
): ProviderRegistry {
  const adapters = [
    createSandboxAdapter({ url: sandboxUrl, callbackKey: secrets.key('sandbox-provider'), delayFactor: settings.SANDBOX_DELAY_FACTOR }),
    createMpesaAdapter({ clock, random, sessions }),
  ];
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));
  return { find: (name) => byName.get(name) };
}
