import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { ProcessMetrics } from './process-metrics';
import type { Recorder } from './recorder';

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/** Returns a function that calls `create` once for each key and then returns the same value. So not every request looks up its labels. */
function kept<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const created = create(key);
    values.set(key, created);
    return created;
  };
}

type RequestsOfWeb = Pick<Recorder, 'apiAnswered' | 'batchRun' | 'overloaded' | 'rateLimited' | 'requestsNotLogged' | 'callbackRefused'>;
type WorkOfWorker = Pick<Recorder, 'webhookAttempted' | 'jobClaimed' | 'jobWorked'>;

/** Creates the recorder of a process. It has only the metrics of its role: a worker, for example, has no metrics of API requests. */
export function createRecorder(metrics: ProcessMetrics, role: 'web' | 'worker'): Recorder {
  const attempts = metrics.counter('bili_attempt_outcomes_total');
  const settleSeconds = metrics.histogram('bili_attempt_settle_seconds');
  const moved = kept((account: string | null) => kept((outcome: string) => attempts.labels(account ?? 'none', outcome)));
  return {
    ...(role === 'web' ? recordRequests(metrics) : IGNORED_REQUESTS),
    ...(role === 'worker' ? recordWork(metrics) : IGNORED_WORK),
    attemptMoved(accountId, state, sentMs) {
      moved(accountId)(state.toLowerCase()).inc();
      if (sentMs !== null) settleSeconds.observe(Math.max(0, sentMs) / SECOND_MS);
    },
  };
}

const ignore = () => undefined;
const IGNORED_REQUESTS: RequestsOfWeb = {
  apiAnswered: ignore,
  batchRun: ignore,
  overloaded: ignore,
  rateLimited: ignore,
  requestsNotLogged: ignore,
  callbackRefused: ignore,
};
const IGNORED_WORK: WorkOfWorker = { webhookAttempted: ignore, jobClaimed: ignore, jobWorked: ignore };

function recordRequests(metrics: ProcessMetrics): RequestsOfWeb {
  const requests = metrics.counter('bili_api_requests_total');
  const seconds = metrics.histogram('bili_api_request_duration_seconds');
  const sizes = metrics.histogram('bili_batch_bills');
  const overloads = metrics.counter('bili_overload_refusals_total');
  const limits = metrics.counter('bili_rate_limit_refusals_total');
  const unlogged = metrics.counter('bili_request_log_dropped_total');
  const callbacks = metrics.counter('bili_callback_refusals_total');
  const routes = kept((route: string | null) => {
    const name = route ?? 'unknown';
    const duration = seconds.labels(name);
    const methods = kept((method: string) => kept((status: number) => requests.labels(name, method, `${status}xx`)));
    return { duration, methods };
  });
  const batches = kept((queue: string) => sizes.labels(queue));
  const refusals = kept((queue: string) => overloads.labels(queue));
  const limited = kept((limit: string) => limits.labels(limit));
  // Prometheus sees the first increase of a counter only if the counter was 0 before.
  for (const queue of ['insert', 'read', 'sandbox', 'pages', 'pictures']) refusals(queue).inc(0);
  for (const limit of ['key', 'failed_authentication', 'page', 'form', 'receipt_check', 'link', 'picture', 'search'] as const)
    limited(limit).inc(0);
  for (const reason of ['rate', 'memory', 'database'] as const) unlogged.labels(reason).inc(0);
  return {
    apiAnswered(route, method, status, ms) {
      const { duration, methods } = routes(route);
      methods(METHODS.includes(method) ? method : 'other')(Math.floor(status / 100)).inc();
      duration.observe(ms / SECOND_MS);
    },
    batchRun: (queue, size) => batches(queue).observe(size),
    overloaded: (queue) => refusals(queue).inc(),
    rateLimited: (limit) => limited(limit).inc(),
    requestsNotLogged: (reason, count) => unlogged.labels(reason).inc(count),
    callbackRefused: (provider, reason) => callbacks.labels(provider, reason).inc(),
  };
}

function recordWork(metrics: ProcessMetrics): WorkOfWorker {
  const webhooks = metrics.counter('bili_webhook_attempts_total');
  const webhookSeconds = metrics.histogram('bili_webhook_attempt_duration_seconds');
  const claims = metrics.counter('bili_job_claims_total');
  const items = metrics.counter('bili_job_items_total');
  const seconds = metrics.counter('bili_job_seconds_total');
  const lastClaim = metrics.gauge('bili_job_last_claim_timestamp_seconds');
  const results = kept((result: string) => webhooks.labels(result));
  const jobs = kept((job: string) => ({
    claims: kept((result: string) => claims.labels(job, result)),
    items: kept((result: string) => items.labels(job, result)),
    claiming: seconds.labels(job, 'claim'),
    working: seconds.labels(job, 'item'),
    lastClaim: lastClaim.labels(job),
  }));
  return {
    webhookAttempted(result, ms) {
      results(result).inc();
      webhookSeconds.observe(ms / SECOND_MS);
    },
    jobClaimed(job, found, ms) {
      const own = jobs(job);
      own.claims(found === null ? 'failed' : found > 0 ? 'found' : 'empty').inc();
      own.claiming.inc(ms / SECOND_MS);
      if (found !== null) own.lastClaim.setToCurrentTime();
    },
    jobWorked(job, succeeded, ms) {
      const own = jobs(job);
      own.items(succeeded ? 'done' : 'failed').inc();
      own.working.inc(ms / SECOND_MS);
    },
  };
}

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
