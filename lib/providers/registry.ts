import type { CredentialField, ProviderAdapter } from '@/lib/providers/port/port';
import type { SessionStore } from '@/lib/providers/port/session-port';
import { createSessionStore } from '@/lib/providers/port/session-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { createAirtelAdapter } from './airtel/adapter';
import { AIRTEL_FIELDS } from './airtel/credentials';
import { createAzampayAdapter } from './azampay/adapter';
import { AZAMPAY_FIELDS } from './azampay/credentials';
import { createClickpesaAdapter } from './clickpesa/adapter';
import { CLICKPESA_FIELDS } from './clickpesa/credentials';
import { createMixxAdapter } from './mixx/adapter';
import { MIXX_FIELDS } from './mixx/credentials';
import { createMpesaAdapter } from './mpesa/adapter';
import { MPESA_FIELDS } from './mpesa/credentials';
import { createPawapayAdapter } from './pawapay/adapter';
import { PAWAPAY_FIELDS } from './pawapay/credentials';
import { createSandboxAdapter } from './sandbox/adapter';
import { createSelcomAdapter } from './selcom/adapter';
import { SELCOM_FIELDS } from './selcom/credentials';
import { createSnippeAdapter } from './snippe/adapter';
import { SNIPPE_FIELDS } from './snippe/credentials';

/** The fields of the credentials file, by provider. The simulated provider has no credentials. */
export const CREDENTIAL_FIELDS: Readonly<Record<string, readonly CredentialField[]>> = {
  mpesa: MPESA_FIELDS,
  snippe: SNIPPE_FIELDS,
  clickpesa: CLICKPESA_FIELDS,
  mixx: MIXX_FIELDS,
  pawapay: PAWAPAY_FIELDS,
  azampay: AZAMPAY_FIELDS,
  airtel: AIRTEL_FIELDS,
  selcom: SELCOM_FIELDS,
};

/** All providers. No other file of the product refers to a specific adapter. */
export interface ProviderRegistry {
  find(name: string): ProviderAdapter | undefined;
}

/**
 * Creates the adapters of all providers.
 * @param sandboxUrl the address of the simulated provider; null in a process that only reads callbacks.
 * @param sessions the store of provider sessions. By default, a store that all workers share.
 */
export function createRegistry(
  { db, secrets, settings, clock, random }: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock' | 'random'>,
  sandboxUrl: string | null,
  sessions: SessionStore = createSessionStore({ db, secrets }),
): ProviderRegistry {
  const adapters = [
    createSandboxAdapter({ url: sandboxUrl, callbackKey: secrets.key('sandbox-provider'), delayFactor: settings.SANDBOX_DELAY_FACTOR }),
    createMpesaAdapter({ clock, random, sessions }),
    createSnippeAdapter({ clock }),
    createClickpesaAdapter({ clock, sessions }),
    createMixxAdapter({ clock, sessions }),
    createPawapayAdapter({ clock }),
    createAzampayAdapter({ clock, sessions }),
    createAirtelAdapter({ clock, random, sessions }),
    createSelcomAdapter({ clock }),
  ];
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));
  return { find: (name) => byName.get(name) };
}
