import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SECOND_MS } from '@/lib/core/clock';
import type { ProcessMetrics } from './process-metrics';

/** The interval of the timer that measures the event loop, milliseconds. It is subtracted from the delay, because Node includes it. */
const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Adds the metrics of the process itself: CPU, memory and event loop. */
export function addProcessFacts(metrics: ProcessMetrics, about: { readonly role: string; readonly version: string }): void {
  metrics.gauge('bili_info').set(about, 1);
  metrics.gauge('process_start_time_seconds').set(Math.round(performance.timeOrigin) / SECOND_MS);
  metrics.counter('process_cpu_seconds_total', (counter) => {
    const { user, system } = process.cpuUsage();
    counter.reset();
    counter.inc((user + system) / MICROSECONDS);
  });
  metrics.gauge('process_resident_memory_bytes', (gauge) => gauge.set(process.memoryUsage.rss()));
  metrics.gauge('nodejs_heap_size_used_bytes', (gauge) => gauge.set(process.memoryUsage().heapUsed));
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  metrics.gauge('nodejs_eventloop_lag_p99_seconds', (gauge) => {
    gauge.set(Math.max(0, delay.percentile(99) / NANOSECONDS - RESOLUTION_MS / SECOND_MS));
    delay.reset();
  });
}
