/** How the values of several processes become one value. Facts about the database are the same in every process and are not added. */
type Aggregator = 'sum' | 'max' | 'min';

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** The processes that have the metric. */
  readonly from: 'web' | 'worker' | 'both';
  /** The labels, with their possible values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
  /** `sum` by default. */
  readonly aggregator?: Aggregator;
}

const API_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const SETTLE_SECONDS = [2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_800, 7_200, 43_200];
const WEBHOOK_SECONDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15];
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100];

const ROUTE = 'path template of the route, or `unknown`';
const JOB = 'name of the job, as `bili doctor --jobs` prints it';
const ACCOUNT = 'id of the provider account';
const CHECK =
  '`complete` (the whole ledger, once a night), `recent` (its new rows, every ten minutes) or `audit` (the newest entries of the audit log, every hour)';
const BACKUP = '`backup` or `drill`';
const QUEUE =
  '`attempts` (prompts to send), `queries` (status queries), `messages` (provider messages not applied), `refunds`, `deliveries`, `deliveries_stopped` (the endpoint is paused or disabled), `mails`, `audit` (entries not sealed)';

/** All metrics. `npm run docs` writes them into docs/metrics.md. */
export const METRICS = {
  bili_info: {
    type: 'gauge',
    help: 'Always 1. The labels describe the process.',
    from: 'both',
    labels: { role: '`web` or `worker`', version: 'version of Bili' },
    aggregator: 'max',
  },
  bili_api_requests_total: {
    type: 'counter',
    help: 'Answered API requests.',
    from: 'web',
    labels: { route: ROUTE, method: '`GET`, `HEAD`, `POST` or `other`', status: '`2xx`, `4xx` or `5xx`' },
  },
  bili_api_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from reading the headers of an API request until its answer is ready.',
    from: 'web',
    labels: { route: ROUTE },
    buckets: API_SECONDS,
  },
  bili_batch_bills: {
    type: 'histogram',
    help: 'Bills that one statement inserts or reads for simultaneous API requests.',
    from: 'web',
    labels: { queue: '`insert` or `read`' },
    buckets: BATCH_SIZES,
  },
  bili_overload_refusals_total: {
    type: 'counter',
    help: 'Requests that were refused because too many waited.',
    from: 'web',
    labels: {
      queue: '`insert`, `read`, `sandbox` (sandbox requests of the API), `pages` (public pages) or `pictures` (of bills and receipts)',
    },
  },
  bili_rate_limit_refusals_total: {
    type: 'counter',
    help: 'Requests that were refused because a client exceeded its rate limit.',
    from: 'web',
    labels: { limit: '`key`, `failed_authentication`, `page`, `form`, `receipt_check`, `link`, `picture` or `search`' },
  },
  bili_request_log_dropped_total: {
    type: 'counter',
    help: 'API requests that are missing in the request log.',
    from: 'web',
    labels: {
      reason:
        '`rate` (more requests of a merchant in one second than are recorded), `memory` (too many waited) or `database` (not written)',
    },
  },
  bili_callback_refusals_total: {
    type: 'counter',
    help: 'Callbacks of providers that were not accepted, because no account has their address.',
    from: 'web',
    labels: {
      provider: 'name of the provider in the address, `account` for an address without a name, or `unknown`',
      reason:
        '`incomplete_address`, `unknown_token`, `other_provider` (the account of the token has another provider) or `unsupported_provider` (not in this version)',
    },
  },
  bili_attempt_outcomes_total: {
    type: 'counter',
    help: 'Changes of the state of attempts. Callbacks are counted by web, answers and status queries by workers.',
    from: 'both',
    labels: { account: `${ACCOUNT}, or \`none\``, outcome: 'the new state in lower case, for example `succeeded` or `unknown`' },
  },
  bili_attempt_settle_seconds: {
    type: 'histogram',
    help: 'Time from sending a prompt until its outcome is known: succeeded, failed or expired.',
    from: 'both',
    buckets: SETTLE_SECONDS,
  },
  bili_webhook_attempts_total: {
    type: 'counter',
    help: 'Webhook delivery attempts.',
    from: 'worker',
    labels: { result: '`2xx`, `3xx`, `4xx`, `5xx`, `timeout`, `connection` (no connection, TLS or reset) or `other`' },
  },
  bili_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Duration of webhook delivery attempts.',
    from: 'worker',
    buckets: WEBHOOK_SECONDS,
  },
  bili_job_claims_total: {
    type: 'counter',
    help: 'Times that a job looked for due work. For jobs that are one task, a claim is a run of the task.',
    from: 'worker',
    labels: { job: JOB, result: '`found`, `empty` or `failed`' },
  },
  bili_job_items_total: {
    type: 'counter',
    help: 'Items that a job worked on.',
    from: 'worker',
    labels: { job: JOB, result: '`done` or `failed`' },
  },
  bili_job_seconds_total: {
    type: 'counter',
    help: 'Time that a job spent on claims and on items.',
    from: 'worker',
    labels: { job: JOB, step: '`claim` or `item`' },
  },
  bili_job_last_claim_timestamp_seconds: {
    type: 'gauge',
    help: 'When a job last claimed work without an error, Unix time.',
    from: 'worker',
    labels: { job: JOB },
    aggregator: 'max',
  },
  bili_ledger_check_timestamp_seconds: {
    type: 'gauge',
    help: 'When a check of the ledger last ended, Unix time. Missing before the first one.',
    from: 'both',
    labels: { kind: CHECK },
    aggregator: 'max',
  },
  bili_ledger_check_broken_rules: {
    type: 'gauge',
    help: 'Rules that were broken at the last check.',
    from: 'both',
    labels: { kind: CHECK },
    aggregator: 'max',
  },
  bili_ledger_check_duration_seconds: {
    type: 'gauge',
    help: 'Duration of the last check.',
    from: 'both',
    labels: { kind: CHECK },
    aggregator: 'max',
  },
  bili_backup_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last backup was made, and when the last drill has proven one, Unix time. Missing before the first one.',
    from: 'both',
    labels: { kind: BACKUP },
    aggregator: 'max',
  },
  bili_backup_failed: {
    type: 'gauge',
    help: '1 if the newest backup or drill has failed, else 0.',
    from: 'both',
    labels: { kind: BACKUP },
    aggregator: 'max',
  },
  bili_database_up: {
    type: 'gauge',
    help: '1 if the database answered the queries of this collection within two seconds, else 0. At 0, the other facts about the database are missing.',
    from: 'both',
    aggregator: 'min',
  },
  bili_database_commits: {
    type: 'gauge',
    help: '1 if the last heartbeat of the process was committed within two seconds, else 0: a full disk, or commits that wait for a synchronous standby.',
    from: 'both',
    aggregator: 'min',
  },
  bili_clock_difference_seconds: {
    type: 'gauge',
    help: "The largest difference between the clock of a process with a heartbeat in the last minute and the database's clock. Above 5, the process is not ready.",
    from: 'both',
    labels: { role: '`web` or `worker`' },
    aggregator: 'max',
  },
  bili_name_servers_up: {
    type: 'gauge',
    help: '0 if the name servers of the worker do not answer, so that webhooks to host names wait, else 1.',
    from: 'worker',
    aggregator: 'min',
  },
  bili_queue_items: {
    type: 'gauge',
    help: 'Due items of a queue in the database, counted up to 10,000.',
    from: 'both',
    labels: { queue: QUEUE },
    aggregator: 'max',
  },
  bili_queue_oldest_seconds: {
    type: 'gauge',
    help: 'How long the oldest due item of a queue has waited; 0 if none is due.',
    from: 'both',
    labels: { queue: QUEUE },
    aggregator: 'max',
  },
  bili_work_waiting_seconds: {
    type: 'gauge',
    help: 'How long the oldest due work has waited for a worker; 0 if none waits. Work for accounts and endpoints that rest after failures does not count.',
    from: 'both',
    aggregator: 'max',
  },
  bili_unknown_attempts: {
    type: 'gauge',
    help: 'Attempts whose outcome is unknown.',
    from: 'both',
    aggregator: 'max',
  },
  bili_unknown_oldest_seconds: {
    type: 'gauge',
    help: 'How long the outcome of the oldest unknown attempt has been unknown; 0 if there is none.',
    from: 'both',
    aggregator: 'max',
  },
  bili_reviews_open: {
    type: 'gauge',
    help: 'Open reviews: questions about money that a person must answer.',
    from: 'both',
    labels: { kind: 'kind of the review, for example `attempt_unresolved`' },
    aggregator: 'max',
  },
  bili_processes: {
    type: 'gauge',
    help: 'Processes with a heartbeat in the last minute.',
    from: 'both',
    labels: { role: '`web` or `worker`' },
    aggregator: 'max',
  },
  bili_provider_account_refused: {
    type: 'gauge',
    help: '1 if the provider has refused the owner of an account and has not accepted a payment request since, else 0.',
    from: 'both',
    labels: { account: ACCOUNT },
    aggregator: 'max',
  },
  bili_on_hold: {
    type: 'gauge',
    help: '1 if this copy of the database is on hold, so that nothing is sent; otherwise 0.',
    from: 'both',
    aggregator: 'max',
  },
  bili_unmatched_payments: {
    type: 'gauge',
    help: 'Payments of the last seven days that are unmatched, or that have an unmatched part, counted up to 1,000 every ten minutes.',
    from: 'both',
    aggregator: 'max',
  },
  bili_webhook_endpoint_failing_seconds: {
    type: 'gauge',
    help: 'How long the active endpoint that has failed longest has accepted no webhook; 0 if none fails.',
    from: 'both',
    aggregator: 'max',
  },
  bili_webhook_endpoints_disabled_today: {
    type: 'gauge',
    help: 'Endpoints that Bili has disabled in the last 24 hours.',
    from: 'both',
    aggregator: 'max',
  },
  bili_provider_account_down: {
    type: 'gauge',
    help: '1 if a provider account counts as down because its calls are not answered, else 0. Disabled accounts are missing.',
    from: 'both',
    labels: { account: ACCOUNT },
    aggregator: 'max',
  },
  bili_webhook_endpoints: {
    type: 'gauge',
    help: 'Webhook endpoints with an address.',
    from: 'both',
    labels: { status: '`active`, `failing` (active, but the last attempts failed), `paused` or `disabled`' },
    aggregator: 'max',
  },
  bili_database_connections: {
    type: 'gauge',
    help: 'Open connections of the database pool.',
    from: 'both',
    labels: { state: '`used` or `idle`' },
  },
  bili_database_connections_max: { type: 'gauge', help: 'Maximum number of connections of the database pool.', from: 'both' },
  bili_database_waiting: { type: 'gauge', help: 'Queries that wait for a connection of the database pool.', from: 'both' },
  process_cpu_seconds_total: { type: 'counter', help: 'CPU time of the process, user and system.', from: 'both' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of the process.', from: 'both' },
  process_start_time_seconds: { type: 'gauge', help: 'When the process started, Unix time.', from: 'both', aggregator: 'min' },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used heap of JavaScript.', from: 'both' },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    help: '99th percentile of the delay of the event loop since the last collection.',
    from: 'both',
    aggregator: 'max',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;
type OfType<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = OfType<'counter'>;
export type GaugeName = OfType<'gauge'>;
export type HistogramName = OfType<'histogram'>;

/** Returns all metrics by name. */
export function listMetrics(): [string, MetricDefinition][] {
  return Object.entries<MetricDefinition>(METRICS);
}
