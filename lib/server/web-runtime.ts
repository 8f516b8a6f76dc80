import type { ApiRuntime } from '@/lib/http/api';
import { addressFinder, environmentFinder } from '@/lib/http/request-facts';
import { createKeyAuthenticator } from '@/lib/keys/authenticate-key';
import { withoutRedaction } from '@/lib/log/log';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { buildRuntime, connectedSettings, oncePerProcess } from './process-runtime';

/** What the web process's route modules and pages run in. */
export interface WebRuntime extends ApiRuntime {
  readonly providers: ProviderRegistry;
  /** @returns the caller's address, as far as the trusted proxies say. */
  readonly addressOf: (headers: Headers) => string | null;
}

/** @returns the process's one runtime, made from the environment at first use. */
export function webRuntime(): WebRuntime {
  return oncePerProcess('web-runtime', () => {
    const runtime = buildRuntime({ settings: connectedSettings(process.env), process: 'web' });
    return {
      ...runtime,
      requestLog: withoutRedaction(runtime.log),
      keys: createKeyAuthenticator(runtime),
      environmentOf: environmentFinder(runtime.settings),
      addressOf: addressFinder(runtime.settings.TRUSTED_PROXIES),
      providers: createRegistry(runtime, null),
    };
  });
}
