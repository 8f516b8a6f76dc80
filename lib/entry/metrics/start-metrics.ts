import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { RunningMetrics, ServeMetricsOptions } from './serve-metrics';

/** Starts to count what this process does, and serves the metrics. Returns undefined if the setting contains no port. */
export async function startMetrics(runtime: Runtime, options: Omit<ServeMetricsOptions, 'port'>): Promise<RunningMetrics | undefined> {
  const port = runtime.settings[options.setting];
  if (port === undefined) return undefined;
  // The module is loaded only if it is used, because prom-client needs 20 MB.
  const { serveMetrics } = await import('./serve-metrics');
  return serveMetrics(runtime, { ...options, port });
}
