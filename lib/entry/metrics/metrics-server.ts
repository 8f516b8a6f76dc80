import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { readyText } from '@/lib/entry/http/health';
import { StartError } from '@/lib/entry/processes/start-settings';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from '@/lib/platform/log/log';
import { aggregate, type CollectedMetrics } from '@/lib/platform/metrics/process-metrics';

/** The content type of Prometheus' text format. */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** The name of the setting that contains the port, for the error message if the port cannot be opened. */
  readonly setting: string;
  /** Collects the metrics of each process whose metrics the server returns. */
  readonly collectAll: () => Promise<readonly CollectedMetrics[]>;
  /** Returns why the process is not ready; null if it is. */
  readonly findProblem: () => Promise<string | null>;
  readonly log: Log;
}

interface MetricsServer {
  stop(): Promise<void>;
}

/** Serves `/metrics`, `/healthz` and `/readyz` on a port of their own. Throws a StartError if the port cannot be opened. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { host, port, setting, log } = options;
  const server = createServer({ requestTimeout: 10 * SECOND_MS, maxHeaderSize: 8 * 1024 }, (request, response) => {
    answer(options, request.method ?? '', request.url ?? '', response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'could not answer a request for metrics');
      if (response.headersSent) response.destroy();
      else send(response, 500, JSON_TYPE, '{"error":"Internal server error"}');
    });
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`${setting} ${port} could not be opened on ${host}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return {
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { collectAll, findProblem }: MetricsServerOptions,
  method: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  const path = url.split('?', 1)[0];
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, JSON_TYPE, '{"error":"Method not allowed"}');
  }
  switch (path) {
    case '/metrics':
      return send(response, 200, TEXT_FORMAT, await aggregate(await collectAll()));
    case '/healthz':
      return send(response, 200, JSON_TYPE, '{"status":"ok"}');
    case '/readyz': {
      const reason = await findProblem();
      return reason === null
        ? send(response, 200, JSON_TYPE, readyText())
        : send(response, 503, JSON_TYPE, JSON.stringify({ status: 'not ready', reason }));
    }
    default:
      return send(response, 404, JSON_TYPE, '{"error":"Not found"}');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  // Requests are rare, so no connection stays open.
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', connection: 'close' }).end(body);
}
