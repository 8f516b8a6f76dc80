import { addMs, DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { findOldestDue } from '@/lib/doctor/store';
import type { ProcessMetrics } from '@/lib/metrics/process-metrics';
import { listCheckResults } from '@/lib/payments/ledger/check-store';
import { listLivingProcesses } from '@/lib/processes/store';
import { REVIEW_KINDS } from '@/lib/reviews/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { countEndpoints, countOpenReviews, findEndpointTroubles, listAccountStates, listQueues } from './database-store';

/** Maximum time for the queries of one collection, milliseconds. Prometheus gives up after ten seconds by default. */
const LIMIT_MS = 2 * SECOND_MS;
/** Collections within this time share one result, so that several scrapers cost the database no more than one. */
const KEPT_MS = 5 * SECOND_MS;

const ROLES = ['web', 'worker'];
const ENDPOINT_STATES = ['active', 'failing', 'paused', 'disabled'];

type Needs = Pick<Runtime, 'db' | 'clock' | 'log'>;

async function readFacts({ db, clock }: Needs) {
  const now = clock();
  return {
    now,
    queues: await listQueues(db, now),
    oldestDue: await findOldestDue(db, now),
    reviews: await countOpenReviews(db),
    processes: await listLivingProcesses(db),
    accounts: await listAccountStates(db),
    endpoints: await countEndpoints(db),
    endpointTroubles: await findEndpointTroubles(db, addMs(now, -DAY_MS)),
    checks: await listCheckResults(db),
  };
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Adds the metrics of what the database contains. Every process reads the same values, so they are not summed over processes. */
export function addDatabaseFacts(metrics: ProcessMetrics, runtime: Needs): void {
  const up = metrics.gauge('bili_database_up');
  const items = metrics.gauge('bili_queue_items');
  const oldest = metrics.gauge('bili_queue_oldest_seconds');
  const waiting = metrics.gauge('bili_work_waiting_seconds');
  const unknown = metrics.gauge('bili_unknown_attempts');
  const unknownOldest = metrics.gauge('bili_unknown_oldest_seconds');
  const reviews = metrics.gauge('bili_reviews_open');
  const processes = metrics.gauge('bili_processes');
  const clocks = metrics.gauge('bili_clock_difference_seconds');
  const down = metrics.gauge('bili_provider_account_down');
  const endpoints = metrics.gauge('bili_webhook_endpoints');
  const refused = metrics.gauge('bili_provider_account_refused');
  const failing = metrics.gauge('bili_webhook_endpoint_failing_seconds');
  const disabled = metrics.gauge('bili_webhook_endpoints_disabled_today');
  const unmatched = metrics.gauge('bili_unmatched_payments');
  const checkedAt = metrics.gauge('bili_ledger_check_timestamp_seconds');
  const checkBroken = metrics.gauge('bili_ledger_check_broken_rules');
  const checkSeconds = metrics.gauge('bili_ledger_check_duration_seconds');
  const labelled = [items, oldest, reviews, processes, clocks, down, refused, endpoints, checkedAt, checkBroken, checkSeconds];

  function set(facts: Facts): void {
    const age = (since: Date | null) => (since === null ? 0 : Math.max(0, facts.now.getTime() - since.getTime()) / SECOND_MS);
    for (const { queue, items: count, oldest: since } of facts.queues) {
      if (queue === 'unknown') {
        unknown.set(count);
        unknownOldest.set(age(since));
      } else {
        items.set({ queue }, count);
        oldest.set({ queue }, age(since));
      }
    }
    waiting.set(age(facts.oldestDue));
    for (const kind of REVIEW_KINDS) reviews.set({ kind }, facts.reviews.find((one) => one.kind === kind)?.items ?? 0);
    for (const role of ROLES) {
      const living = facts.processes.filter((one) => one.role === role);
      processes.set({ role }, living.length);
      clocks.set({ role }, Math.max(0, ...living.map(({ clockAheadMs }) => Math.abs(clockAheadMs))) / SECOND_MS);
    }
    for (const { id, downSince, refusedSince } of facts.accounts) {
      down.set({ account: id }, downSince === null ? 0 : 1);
      refused.set({ account: id }, refusedSince === null ? 0 : 1);
    }
    for (const { kind, endedAt, tookMs, broken } of facts.checks) {
      if (kind === 'unmatched') {
        unmatched.set(broken[0]?.count ?? 0);
        continue;
      }
      checkedAt.set({ kind }, endedAt.getTime() / SECOND_MS);
      checkBroken.set({ kind }, broken.length);
      checkSeconds.set({ kind }, tookMs / SECOND_MS);
    }
    failing.set(age(facts.endpointTroubles.failingSince));
    disabled.set(facts.endpointTroubles.disabled);
    for (const status of ENDPOINT_STATES) endpoints.set({ status }, facts.endpoints.find((one) => one.status === status)?.items ?? 0);
  }

  async function update(): Promise<void> {
    const facts = await runtime.db
      .runWithin(LIMIT_MS, () => readFacts(runtime))
      .catch((error: unknown) => runtime.log.warn({ err: error }, 'could not read the metrics of the database'));
    for (const gauge of labelled) gauge.reset();
    for (const gauge of [waiting, unknown, unknownOldest, unmatched, failing, disabled]) gauge.remove();
    up.set(facts ? 1 : 0);
    if (facts) set(facts);
  }

  let updated: { readonly at: number; readonly done: Promise<void> } | undefined;
  metrics.beforeCollection(() => {
    if (!updated || performance.now() - updated.at > KEPT_MS) updated = { at: performance.now(), done: update() };
    return updated.done;
  });
}

/** Adds what this process knows about the database: its pool of connections, and whether commits end. */
export function addPoolFacts(metrics: ProcessMetrics, { db, health }: Pick<Runtime, 'db' | 'health'>): void {
  metrics.gauge('bili_database_commits', (gauge) => gauge.set(health.has('commits') ? 0 : 1));
  metrics.gauge('bili_database_connections', (gauge) => {
    const { open, idle } = db.connections();
    gauge.set({ state: 'idle' }, idle);
    gauge.set({ state: 'used' }, open - idle);
  });
  metrics.gauge('bili_database_connections_max', (gauge) => gauge.set(db.connections().max));
  metrics.gauge('bili_database_waiting', (gauge) => gauge.set(db.connections().waiting));
}
