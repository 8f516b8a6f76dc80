import type { ApiRuntime } from '@/lib/http/api';
import { addressFinder, environmentFinder } from '@/lib/http/request-facts';
import { createThrottle, type Throttle } from '@/lib/http/throttle';
import { createKeyAuthenticator } from '@/lib/keys/authenticate-key';
import { withoutRedaction } from '@/lib/log/log';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { buildRuntime, connectedSettings } from './process-runtime';

const RECEIPT_CHECKS_PER_MINUTE = 1_000;

/** What the web process's route modules and pages run in. */
export interface WebRuntime extends ApiRuntime {
  readonly providers: ProviderRegistry;
  /** @returns the caller's address, as far as the trusted proxies say. */
  readonly addressOf: (headers: Headers) => string | null;
  /** Of the page that checks receipts. */
  readonly receiptChecks: Throttle;
}

declare global {
  // Two bundles hold this module, ours and the one Next.js builds: a variable of its own would be there twice.
  var biliWebRuntime: WebRuntime | undefined;
}

/** @returns the process's one runtime, made from the environment at first use. */
export function webRuntime(): WebRuntime {
  globalThis.biliWebRuntime ??= buildWebRuntime();
  return globalThis.biliWebRuntime;
}

function buildWebRuntime(): WebRuntime {
  const runtime = buildRuntime({ settings: connectedSettings(process.env), process: 'web' });
  return {
    ...runtime,
    requestLog: withoutRedaction(runtime.log),
    keys: createKeyAuthenticator(runtime),
    environmentOf: environmentFinder(runtime.settings),
    addressOf: addressFinder(runtime.settings.TRUSTED_PROXIES),
    receiptChecks: createThrottle(runtime.clock, RECEIPT_CHECKS_PER_MINUTE),
    providers: createRegistry(runtime, null),
  };
}
