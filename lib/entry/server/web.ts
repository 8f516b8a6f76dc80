import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import next from 'next';
import { answerBrokenRequest, createListener, type FindRoute } from '@/lib/entry/http/listener';
import { startMetrics } from '@/lib/entry/metrics/start-metrics';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { portProblem, StartError } from '@/lib/entry/processes/start-settings';
import { missingProxies } from '@/lib/platform/config/missing-proxies';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import type { Secrets } from '@/lib/platform/config/secrets';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { watchClock } from '@/lib/platform/db/watch-clock';
import { awaitHold, refreshHold } from '@/lib/platform/hold/hold';
import { adoptConsole } from '@/lib/platform/log/adopt-console';
import { serveCompressed } from './assets';
import { createWebRuntime } from './web-runtime';

const DRAIN_MS = 10 * SECOND_MS;

export interface Stoppable {
  /**
   * Answers 503 on /readyz for SHUTDOWN_DELAY, then closes the ports, finishes running requests and resolves.
   * @param options `retire`: if true, closes the ports at once, without answering 503 first. Use it if other processes answer at the same
   * ports: then no load balancer needs to notice that this process stops.
   */
  stop(options?: { readonly retire?: boolean }): Promise<void>;
}

interface WebOptions {
  readonly dev: boolean;
  readonly findRoute: FindRoute;
  readonly secrets: Secrets;
}

/** Starts the web process on both ports. Throws a StartError if a port is in use. */
export async function startWeb({ dev, findRoute, secrets }: WebOptions): Promise<Stoppable> {
  const runtime = createWebRuntime(secrets);
  const { settings, log, db, keys, limits, requestRecorder, shutdown } = runtime;
  process.env.NEXTAUTH_URL = settings.LIVE_BASE_URL.origin;
  process.env.NEXT_TELEMETRY_DISABLED = '1';

  if (!dev) adoptConsole(log);

  // The clock is compared before the first request, so that no bill is created at a wrong time.
  const clockWatch = await watchClock(runtime);
  awaitHold();
  await refreshHold(runtime).catch((error: unknown) => log.warn({ err: error }, 'could not read whether this copy is on hold'));
  const servers: Server[] = [];
  const app = next({ dev, dir: PROJECT_ROOT, hostname: 'localhost', port: settings.PORT });
  const ready = app.prepare();
  const serveNext = async (request: IncomingMessage, response: ServerResponse) => {
    await ready;
    flushTogether(response);
    await app.getRequestHandler()(request, response);
  };
  const serve = dev ? serveNext : serveCompressed(join(PROJECT_ROOT, '.next', 'static'), serveNext);
  const listener = createListener(runtime, findRoute, serve, { dev });
  for (const port of [settings.PORT, settings.SANDBOX_PORT]) {
    const server = createServer(
      {
        connectionsCheckingInterval: 5 * SECOND_MS,
        maxHeaderSize: 16 * 1024,
        requestTimeout: 60 * SECOND_MS,
        headersTimeout: 20 * SECOND_MS,
        keepAliveTimeout: 65 * SECOND_MS,
        // The listener itself refuses requests without a Host header, with a JSON error.
        requireHostHeader: false,
      },
      listener,
    );
    // Node would answer an unknown `Expect` header with 417 and no body. A server may ignore it (RFC 9110, 10.1.1).
    server.on('checkExpectation', listener);
    server.on('clientError', answerBrokenRequest);
    if (dev) server.on('upgrade', (request, socket, head) => void ready.then(() => app.getUpgradeHandler()(request, socket, head)));
    await listen(server, port, settings.HOST);
    servers.push(server);
  }
  await ready;
  const metrics = await startMetrics(runtime, {
    role: 'web',
    setting: 'METRICS_PORT',
    findProblem: () => (shutdown.signal.aborted ? 'stopping' : null),
  });
  const heartbeat = await startHeartbeat(runtime, 'web', runtime);
  log.info(
    {
      port: settings.PORT,
      sandboxPort: settings.SANDBOX_PORT,
      live: settings.LIVE_BASE_URL.origin,
      sandbox: settings.SANDBOX_BASE_URL.origin,
    },
    'web is listening',
  );

  const missing = missingProxies(settings);
  if (missing !== null) log.warn(missing);

  return {
    async stop({ retire = false } = {}) {
      if (!retire) {
        shutdown.abort();
        log.info({ seconds: settings.SHUTDOWN_DELAY }, 'web is stopping: readyz answers 503 until the ports close');
        await delay(settings.SHUTDOWN_DELAY * SECOND_MS);
      }
      await Promise.all(servers.map(drain));
      await app.close();
      clockWatch.stop();
      limits.stop();
      await heartbeat.stop();
      await keys.flush();
      await requestRecorder.flush();
      await metrics?.stop();
      await db.close();
      log.info('web stopped');
      log.flush();
    },
  };
}

/** The browser gets a part of a page at most this much later than Next.js made it. */
const FLUSH_MS = 10;

/**
 * Makes Next.js send parts of a page together that it makes at about the same time. Next.js flushes its compressor after each part. A page
 * has some eighty parts, and each flush starts a new block: together they would make the page half as large again.
 */
function flushTogether(response: ServerResponse): void {
  let flush: (() => void) | undefined;
  let planned: NodeJS.Timeout | undefined;
  const flushLater = () => {
    planned ??= setTimeout(() => {
      planned = undefined;
      flush?.();
    }, FLUSH_MS);
  };
  response.once('close', () => clearTimeout(planned));
  Object.defineProperty(response, 'flush', {
    get: () => flush && flushLater,
    set: (given: () => void) => {
      flush = given;
    },
  });
}

async function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(portProblem(error, port, host));
  }
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
