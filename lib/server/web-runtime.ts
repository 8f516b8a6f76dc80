import { createInsertQueue } from '@/lib/bills/create/insert-queue';
import { createReadQueue } from '@/lib/bills/read-queue';
import type { ApiRuntime } from '@/lib/http/api';
import { addressFinder, environmentFinder } from '@/lib/http/request-facts';
import { createKeyAuthenticator } from '@/lib/keys/authenticate-key';
import { createRequestLimits } from '@/lib/limits/request-limits';
import { withoutRedaction } from '@/lib/log/log';
import { buildRuntime } from '@/lib/processes/process-runtime';
import { connectedSettings } from '@/lib/processes/start-settings';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';
import { createRequestRecorder } from '@/lib/requests/request-recorder';
import type { Runtime } from '@/lib/runtime/runtime';
import { createRefusalRecorder, ForeignForms, type RecordRefusal } from './refusals';

/** The runtime of route modules and pages in the web process. */
export interface WebRuntime extends ApiRuntime {
  /** Aborted when the process begins to stop. The process still answers requests for SHUTDOWN_DELAY. */
  readonly shutdown: AbortController;
  readonly providers: ProviderRegistry;
  /** Logs a refused action. */
  readonly recordRefusal: RecordRefusal;
  readonly foreignForms: ForeignForms;
}

declare global {
  // The variable is global, because this module exists twice: in our bundle and in the one that Next.js builds.
  var biliWebRuntime: WebRuntime | undefined;
}

/** Returns the runtime of the process. It is created from the environment at first use. */
export function webRuntime(): WebRuntime {
  globalThis.biliWebRuntime ??= buildWebRuntime();
  return globalThis.biliWebRuntime;
}

function buildWebRuntime(): WebRuntime {
  return forWeb(buildRuntime({ settings: connectedSettings(process.env), process: 'web' }));
}

/** Adds what the web process needs to a runtime. */
export function forWeb(runtime: Runtime): WebRuntime {
  return {
    ...runtime,
    shutdown: new AbortController(),
    requestLog: withoutRedaction(runtime.log),
    keys: createKeyAuthenticator(runtime),
    requestRecorder: createRequestRecorder(runtime),
    environmentOf: environmentFinder(runtime.settings),
    addressOf: addressFinder(runtime.settings.TRUSTED_PROXIES, (peer) =>
      runtime.log.warn(
        { peer },
        'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES and was ignored; if it is your proxy, add it',
      ),
    ),
    limits: createRequestLimits(runtime),
    insertQueue: createInsertQueue(runtime.db),
    readQueue: createReadQueue(runtime.db),
    recordRefusal: createRefusalRecorder(runtime),
    foreignForms: new ForeignForms(),
    providers: createRegistry(runtime, null),
  };
}
