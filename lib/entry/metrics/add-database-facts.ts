import { BACKUP_KINDS, hasFailed, listBackupStatus } from '@/lib/entry/backups/status-store';
import { findOldestDue } from '@/lib/entry/doctor/store';
import { listLivingProcesses } from '@/lib/entry/processes/store';
import { listCheckResults } from '@/lib/gateway/ledger/check-store';
import { REVIEW_KINDS } from '@/lib/gateway/reviews/rules';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { int4, int8, neverNull, nullable, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { readHold } from '@/lib/platform/hold/hold-store';
import type { ProcessMetrics } from '@/lib/platform/metrics/process-metrics';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** Maximum time for the queries of one collection, milliseconds. Prometheus gives up after ten seconds by default. */
const LIMIT_MS = 2 * SECOND_MS;
/** Collections within this time share one result, so that several scrapers cost the database no more than one. */
const KEPT_MS = 5 * SECOND_MS;

const ROLES = ['web', 'worker'];
const ENDPOINT_STATES = ['active', 'failing', 'paused', 'disabled'];

type Needs = Pick<Runtime, 'db' | 'clock' | 'log'>;

/** Items of a queue beyond this number are not counted, so that a long queue does not make a collection slow. */
const COUNTED_MAX = 10_000n;

/** Returns each queue with the number of its due items, and with the time since which the oldest item waits: null if no item is due. */
const LIST_QUEUES = statement({
  name: 'list the queues with their sizes and ages',
  text: `
SELECT 'attempts' AS queue, count(*)::int AS items, min(since) AS oldest FROM (
  SELECT greatest(due_at, lease_until) AS since FROM push_attempt
  WHERE due_at <= $now AND state = 'QUEUED' AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'queries', count(*)::int, min(since) FROM (
  SELECT greatest(due_at, lease_until) AS since FROM push_attempt
  WHERE due_at <= $now AND state <> 'QUEUED' AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'unknown', count(*)::int, min(since) FROM (
  SELECT unknown_since AS since FROM push_attempt WHERE state = 'UNKNOWN' ORDER BY unknown_since, id LIMIT $limit) unknown
UNION ALL
SELECT 'messages', count(*)::int, min(since) FROM (
  SELECT received_at AS since FROM provider_message WHERE handled_at IS NULL ORDER BY due_at LIMIT $limit) unhandled
UNION ALL
SELECT 'refunds', count(*)::int, min(since) FROM (
  SELECT greatest(due_at, lease_until) AS since FROM refund
  WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'deliveries', count(*)::int, min(since) FROM (
  SELECT greatest(d.due_at, e.rest_until, e.status_since) AS since FROM webhook_endpoint e CROSS JOIN LATERAL (
    SELECT due_at FROM webhook_delivery WHERE endpoint_id = e.id AND state = 'PENDING' AND due_at <= $now
    ORDER BY priority, due_at, id LIMIT $limit) d
  WHERE e.url IS NOT NULL AND e.status = 'active' AND (e.rest_until IS NULL OR e.rest_until <= $now) LIMIT $limit) due
UNION ALL
SELECT 'deliveries_stopped', count(*)::int, min(since) FROM (
  SELECT d.due_at AS since FROM webhook_endpoint e CROSS JOIN LATERAL (
    SELECT due_at FROM webhook_delivery WHERE endpoint_id = e.id AND state = 'PENDING' AND due_at <= $now
    ORDER BY priority, due_at, id LIMIT $limit) d
  WHERE e.url IS NOT NULL AND e.status <> 'active' LIMIT $limit) due
UNION ALL
SELECT 'mails', count(*)::int, min(since) FROM (
  SELECT due_at AS since FROM mail WHERE state = 'QUEUED' AND due_at <= $now ORDER BY due_at, id LIMIT $limit) due
UNION ALL
SELECT 'audit', count(*)::int, min(since) FROM (
  SELECT at AS since FROM audit_entry WHERE chain_number IS NULL LIMIT $limit) unsealed`,
  parameters: { now: timestamptz, limit: int8 },
  columns: { queue: text, items: int4, oldest: nullable(timestamptz) },
});

/** Counts, by status, the endpoints that have an address. An active endpoint whose last attempts failed is `failing`. */
const COUNT_ENDPOINTS = statement({
  name: 'count webhook endpoints by status',
  text: `SELECT CASE WHEN status = 'active' AND failing_since IS NOT NULL THEN 'failing' ELSE status::text END AS status, count(*)::int AS items
         FROM webhook_endpoint WHERE url IS NOT NULL GROUP BY 1`,
  columns: { status: neverNull(text), items: int4 },
});

async function readFacts({ db, clock }: Needs) {
  const { prisma } = db;
  const now = clock();
  const url = { not: null };
  return {
    now,
    queues: await LIST_QUEUES.rows(db, { now, limit: COUNTED_MAX }),
    oldestDue: await findOldestDue(db, now),
    reviews: await prisma.review.groupBy({ by: ['kind'], where: { resolvedAt: null }, _count: true }),
    processes: await listLivingProcesses(db),
    accounts: await prisma.providerAccount.findMany({
      where: { disabledAt: null },
      select: { id: true, downSince: true, refusedSince: true },
    }),
    endpoints: await COUNT_ENDPOINTS.rows(db, {}),
    failing: await prisma.webhookEndpoint.aggregate({ where: { url, status: 'active' }, _min: { failingSince: true } }),
    disabled: await prisma.webhookEndpoint.count({ where: { url, status: 'disabled', statusSince: { gt: addMs(now, -DAY_MS) } } }),
    checks: await listCheckResults(db),
    backups: await listBackupStatus(db),
    hold: await readHold(db),
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
  const onHold = metrics.gauge('bili_on_hold');
  const unmatched = metrics.gauge('bili_unmatched_payments');
  const checkedAt = metrics.gauge('bili_ledger_check_timestamp_seconds');
  const checkBroken = metrics.gauge('bili_ledger_check_broken_rules');
  const checkSeconds = metrics.gauge('bili_ledger_check_duration_seconds');
  const backedUpAt = metrics.gauge('bili_backup_timestamp_seconds');
  const backupFailed = metrics.gauge('bili_backup_failed');
  const ofChecks = [checkedAt, checkBroken, checkSeconds, backedUpAt, backupFailed];
  const labelled = [items, oldest, reviews, processes, clocks, down, refused, endpoints, ...ofChecks];

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
    for (const kind of REVIEW_KINDS) reviews.set({ kind }, facts.reviews.find((one) => one.kind === kind)?._count ?? 0);
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
    for (const kind of BACKUP_KINDS) {
      const status = facts.backups.find((one) => one.kind === kind);
      backupFailed.set({ kind }, status && hasFailed(status) ? 1 : 0);
      if (status?.succeededAt) backedUpAt.set({ kind }, status.succeededAt.getTime() / SECOND_MS);
    }
    failing.set(age(facts.failing._min.failingSince));
    disabled.set(facts.disabled);
    onHold.set(facts.hold === null ? 0 : 1);
    for (const status of ENDPOINT_STATES) endpoints.set({ status }, facts.endpoints.find((one) => one.status === status)?.items ?? 0);
  }

  async function update(): Promise<void> {
    const facts = await runtime.db
      .runWithin(LIMIT_MS, () => readFacts(runtime))
      .catch((error: unknown) => runtime.log.warn({ err: error }, 'could not read the metrics of the database'));
    for (const gauge of labelled) gauge.reset();
    for (const gauge of [waiting, unknown, unknownOldest, unmatched, failing, disabled, onHold]) gauge.remove();
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
