import { createRequestRecorder } from '@/lib/backoffice/requests/request-recorder';
import type { ListenerRuntime } from '@/lib/entry/http/listener';
import { createRefusalRecorder, RefusalCount } from '@/lib/entry/http/refusals';
import { addressFinder, environmentFinder } from '@/lib/entry/http/request-facts';
import { buildRuntime } from '@/lib/entry/processes/process-runtime';
import { connectedSettings } from '@/lib/entry/processes/start-settings';
import { createInsertQueue } from '@/lib/gateway/bills/create/insert-bills';
import { createReadQueue } from '@/lib/gateway/bills/get-bill';
import { createKeyAuthenticator } from '@/lib/identity/keys/authenticate-key';
import { createRequestLimits } from '@/lib/identity/limits/request-limits';
import type { Secrets } from '@/lib/platform/config/secrets';
import { withoutRedaction } from '@/lib/platform/log/log';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { createRegistry, type ProviderRegistry } from '@/lib/providers/registry';

/** The runtime of routes and pages in the web process. */
export interface WebRuntime extends ListenerRuntime {
  /** Aborted when the process begins to stop. The process still answers requests for SHUTDOWN_DELAY. */
  readonly shutdown: AbortController;
  readonly providers: ProviderRegistry;
}

declare global {
  // The variable is global, because this module exists twice: in our bundle and in the one that Next.js builds.
  var biliWebRuntime: WebRuntime | undefined;
}

/** Creates the runtime of the process from the environment. Call it once, before the first request. */
export function createWebRuntime(secrets: Secrets): WebRuntime {
  globalThis.biliWebRuntime = forWeb(buildRuntime({ settings: connectedSettings(process.env), process: 'web', secrets }));
  return globalThis.biliWebRuntime;
}

/** Returns the runtime of the process. */
export function webRuntime(): WebRuntime {
  if (!globalThis.biliWebRuntime) throw new Error('this process has no runtime: it is not a web process, or has not started yet');
  return globalThis.biliWebRuntime;
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
    foreignForms: new RefusalCount(),
    unknownCallbacks: new RefusalCount(),
    providers: createRegistry(runtime, null),
  };
}
