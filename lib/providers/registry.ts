import type { Runtime } from '@/lib/config/runtime';
import { createMpesaAdapter } from './mpesa/adapter';
import type { ProviderAdapter } from './port';
import { createSandboxAdapter } from './sandbox/adapter';
import { createSessionStore } from './session-store';

/** Every provider there is. Nothing else in the product knows an adapter by name. */
export interface ProviderRegistry {
  find(name: string): ProviderAdapter | undefined;
}

/** @param sandboxUrl where this process reaches the simulated provider; null where it only reads callbacks. */
export function createRegistry(
  { db, secrets, settings, clock, random }: Pick<Runtime, 'db' | 'secrets' | 'settings' | 'clock' | 'random'>,
  sandboxUrl: string | null,
): ProviderRegistry {
  const adapters = [
    createSandboxAdapter({ url: sandboxUrl, callbackKey: secrets.key('sandbox-provider'), delayFactor: settings.SANDBOX_DELAY_FACTOR }),
    createMpesaAdapter({ clock, random, sessions: createSessionStore({ db, secrets }) }),
  ];
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));
  return { find: (name) => byName.get(name) };
}
