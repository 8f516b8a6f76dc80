import { type AddressCeiling, addressCeiling } from '@/lib/http/address-ceiling';
import type { ApiRuntime } from '@/lib/http/api';
import { addressFinder, environmentFinder } from '@/lib/http/request-facts';
import { createKeyAuthenticator } from '@/lib/keys/authenticate-key';
import { createRequestLimits } from '@/lib/limits/request-limits';
import { withoutRedaction } from '@/lib/log/log';
import { buildRuntime, connectedSettings } from '@/lib/processes/process-runtime';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { type NoteRefusal, refusalNotes } from './refusals';

const CHECKS_PER_MINUTE = 1_000;

/** What the web process's route modules and pages run in. */
export interface WebRuntime extends ApiRuntime {
  /** Aborted when the process has been told to stop; it serves on for SHUTDOWN_DELAY. */
  readonly shutdown: AbortController;
  readonly providers: ProviderRegistry;
  /** Notes what somebody tried and may not. */
  readonly noteRefusal: NoteRefusal;
  /** Counts the checks of receipts. */
  readonly checkCeiling: AddressCeiling;
  /** Counts the forms of the payment page. */
  readonly formCeiling: AddressCeiling;
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
  return forWeb(buildRuntime({ settings: connectedSettings(process.env), process: 'web' }));
}

/** @returns a runtime with what the web process adds to it. */
export function forWeb(runtime: Runtime): WebRuntime {
  return {
    ...runtime,
    shutdown: new AbortController(),
    requestLog: withoutRedaction(runtime.log),
    keys: createKeyAuthenticator(runtime),
    environmentOf: environmentFinder(runtime.settings),
    addressOf: addressFinder(runtime.settings.TRUSTED_PROXIES, (peer) =>
      runtime.log.warn(
        { peer },
        'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES and was ignored; if it is your proxy, add it',
      ),
    ),
    limits: createRequestLimits(runtime),
    checkCeiling: addressCeiling(runtime.clock, CHECKS_PER_MINUTE),
    formCeiling: addressCeiling(runtime.clock),
    noteRefusal: refusalNotes(runtime),
    providers: createRegistry(runtime, null),
  };
}
