import { z } from 'zod';
import type { Bill } from '@/lib/gateway/bills/rules';
import type { AttemptRow } from '@/lib/gateway/webhooks/delivery-store';
import { idRange } from '@/lib/gateway/webhooks/redelivery-rules';
import type { DeliveryState, DeliveryTrigger } from '@/lib/gateway/webhooks/state';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { webhookAttempt, webhookDelivery } from '@/lib/platform/db/generated/tables';
import { array, boolean, bytea, int4, nullable, pick, select, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

/** Selects deliveries that meet all given conditions. A condition that is null or missing does not filter. */
export interface DeliveryFilter {
  readonly billId?: string | null;
  readonly billIds?: readonly string[] | null;
  readonly billStatuses?: readonly Bill['status'][] | null;
  /** The reason for the next or last attempt. */
  readonly triggers?: readonly DeliveryTrigger[] | null;
  readonly states?: readonly DeliveryState[] | null;
  /**
   * True: only deliveries that the receiver has never accepted and that have failed at least once since their creation or last redelivery.
   */
  readonly failed?: boolean;
  /** Created from `from` (inclusive) to `to` (exclusive). */
  readonly from?: Date | null;
  readonly to?: Date | null;
}

interface DeliveryListing extends DeliveryFilter {
  /** Only deliveries with an id below this one. Null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** The columns of a listed delivery. */
const ROW = {
  ...{ id: true, billId: true, billStatus: true, state: true, attemptCount: true, dueAt: true, createdAt: true },
  bill: { select: { reference: true } },
} as const;

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number];

/**
 * SQL for the ids of a page of deliveries `d`, newest first. A condition without a value does not filter. Prisma cannot select them: it sends
 * states as text, so PostgreSQL would not use the indexes that have only the deliveries in some states.
 */
const pageOf = (deliveries: string, when = 'true') => `(
  SELECT d.id FROM ${deliveries}
  WHERE ${when} AND d.merchant_id = $merchantId AND d.environment = $environment AND d.id > $after AND d.id < $until
    AND ($before::uuid IS NULL OR d.id < $before)
    AND ($billIds::uuid[] IS NULL OR d.bill_id = ANY ($billIds))
    AND ($billStatuses::bill_status[] IS NULL OR d.bill_status = ANY ($billStatuses))
    AND ($triggers::delivery_trigger[] IS NULL OR d.trigger = ANY ($triggers))
    AND ($states::delivery_state[] IS NULL OR d.state = ANY ($states))
    AND (NOT $failed::boolean OR d.delivered_at IS NULL AND d.failure_count > 0)
    AND ($from::timestamptz IS NULL OR d.created_at >= $from) AND ($to::timestamptz IS NULL OR d.created_at < $to)
  ORDER BY d.id DESC LIMIT $limit::int
)`;
const PAGE_PARAMETERS = {
  ...pick(webhookDelivery, 'merchantId environment'),
  ...{ after: uuid, until: uuid, before: nullable(uuid), limit: int4 },
  billIds: nullable(array(webhookDelivery.billId)),
  billStatuses: nullable(array(webhookDelivery.billStatus)),
  triggers: nullable(array(webhookDelivery.trigger)),
  states: nullable(array(webhookDelivery.state)),
  ...{ failed: boolean, from: nullable(timestamptz), to: nullable(timestamptz) },
};

const FIND_PAGE = statement({
  name: 'find the deliveries of a page',
  text: pageOf('webhook_delivery d'),
  parameters: PAGE_PARAMETERS,
  columns: { id: uuid },
});

/** The most open deliveries that are collected. If there are more, the deliveries are read in order, because then open ones are not rare. */
const OPEN_MAX = 100_000;

/** The states whose index only has the order in which the worker sends. Each with this order. */
const OPEN_ORDERS = { PENDING: 'priority, due_at', SENDING: 'lease_until' } as const satisfies Partial<Record<DeliveryState, string>>;

const openOf = ([state, order]: readonly [string, string]) =>
  `(SELECT id FROM webhook_delivery WHERE endpoint_id = (SELECT id FROM endpoint) AND state = '${state}' AND '${state}' = ANY ($states::delivery_state[])
    ORDER BY ${order} LIMIT $openMax::int + 1)`;
/** Blocked deliveries have an index in the order of the list. They are collected only together with open ones. */
const BLOCKED = `(SELECT id FROM webhook_delivery
    WHERE merchant_id = $merchantId AND environment = $environment AND state = 'BLOCKED' AND 'BLOCKED' = ANY ($states::delivery_state[])
    ORDER BY id DESC LIMIT $openMax::int + 1)`;
const FIND_OPEN_PAGE = statement({
  name: 'find the open deliveries of a page',
  text: `WITH endpoint AS MATERIALIZED (SELECT id FROM webhook_endpoint WHERE merchant_id = $merchantId AND environment = $environment),
           open AS MATERIALIZED (${[...Object.entries(OPEN_ORDERS).map(openOf), BLOCKED].join(' UNION ALL ')}),
           size AS (SELECT count(*) AS found FROM open)
         SELECT id FROM (
           ${pageOf(`(SELECT id FROM open WHERE (SELECT found FROM size) <= $openMax::int ORDER BY id DESC) few
             CROSS JOIN LATERAL (SELECT * FROM webhook_delivery WHERE id = few.id OFFSET 0) d`)}
           UNION ALL ${pageOf('webhook_delivery d', '(SELECT found FROM size) > $openMax::int')}
         ) page ORDER BY id DESC`,
  parameters: { ...PAGE_PARAMETERS, openMax: int4 },
  columns: { id: uuid },
});

export async function listDeliveryRows(
  db: Connection,
  { merchantId, environment }: Scope,
  { billStatuses = null, triggers = null, states = null, failed = false, from = null, to = null, ...listing }: DeliveryListing,
  openMax = OPEN_MAX,
) {
  const { before, limit, billId } = listing;
  const billIds = listing.billIds ?? (billId ? [billId] : null);
  const { after, before: until } = idRange({ from, to });
  const values = { merchantId, environment, after, until, before, limit, billIds, billStatuses, triggers, states, failed, from, to };
  const open = states?.some((state) => state in OPEN_ORDERS) && states.every((state) => state in OPEN_ORDERS || state === 'BLOCKED');
  const found = await (open ? FIND_OPEN_PAGE.rows(db, { ...values, openMax }) : FIND_PAGE.rows(db, values));
  const where = { id: { in: found.map(({ id }) => id) } };
  const rows = await db.prisma.webhookDelivery.findMany({ where, select: ROW, orderBy: { id: 'desc' } });
  return rows.map(({ bill, ...row }) => ({ ...row, reference: bill.reference }));
}

/** A delivery with all its fields, without its log of attempts. */
export type DeliveryDetail = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

/** Finds a delivery by its id. @param scope null for the operator, who may see all merchants. */
export async function findDelivery({ prisma }: Connection, scope: Scope | null, id: string) {
  const found = await prisma.webhookDelivery.findUnique({
    where: { id, ...(scope && { merchantId: scope.merchantId, environment: scope.environment }) },
    select: {
      ...ROW,
      ...{ merchantId: true, environment: true, eventNumber: true, body: true, ordered: true, trigger: true, triggeredBy: true },
      ...{ redeliveryId: true, failureCount: true, lastAttemptAt: true, deliveredAt: true, settledAt: true },
    },
  });
  if (!found) return undefined;
  const { bill, ...delivery } = found;
  return { ...delivery, reference: bill.reference };
}

/** Maximum length of the part of a response body that lists show, in bytes: enough to recognise an error page. */
const EXCERPT_BYTES = 600;

/** The clocks of two machines may differ by this much, so an attempt may seem to start before its delivery was created. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** A logged attempt with only the beginning of the response body. */
export interface LoggedAttempt extends Omit<AttemptRow, keyof Scope | 'deliveryId' | 'messageId' | 'responseBody'> {
  /** Null for test webhooks and receiver checks. */
  readonly deliveryId: string | null;
  readonly excerpt: Uint8Array;
}

const ATTEMPT_TYPES = pick(
  webhookAttempt,
  `id deliveryId number trigger triggeredBy url address startedAt dnsMs connectMs tlsMs firstByteMs durationMs httpStatus
   requestHeaders requestBody responseHeaders errorClass errorData nextAttemptAt`,
);
const ATTEMPT_COLUMNS = select(ATTEMPT_TYPES);

const headersSchema = z.record(z.string(), z.string());
const errorDataSchema = z.record(z.string(), z.union([z.string(), z.number()]));

type Json = 'requestHeaders' | 'responseHeaders' | 'errorData';

function readRow<Row extends Readonly<Record<Json, unknown>>>(row: Row): Row & Pick<LoggedAttempt, Json> {
  return {
    ...row,
    requestHeaders: headersSchema.parse(row.requestHeaders),
    responseHeaders: headersSchema.parse(row.responseHeaders),
    errorData: errorDataSchema.parse(row.errorData),
  };
}

/** A test webhook or a call of a receiver check. It belongs to no delivery. */
export type StandaloneAttempt = LoggedAttempt & Pick<AttemptRow, 'messageId'>;

const LIST_STANDALONE = statement({
  name: 'list attempts that belong to no delivery',
  text: `SELECT ${ATTEMPT_COLUMNS}, message_id AS "messageId", substring(response_body FROM 1 FOR $excerptBytes) AS excerpt FROM webhook_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND delivery_id IS NULL AND trigger = ANY ($triggers)
           AND ($beforeAt::timestamptz IS NULL OR (started_at, id) < ($beforeAt, $beforeId::uuid))
         ORDER BY started_at DESC, id DESC LIMIT $limit::int`,
  parameters: {
    ...pick(webhookAttempt, 'merchantId environment'),
    limit: int4,
    excerptBytes: int4,
    beforeAt: nullable(timestamptz),
    beforeId: nullable(uuid),
    triggers: array(webhookAttempt.trigger),
  },
  columns: { ...ATTEMPT_TYPES, messageId: webhookAttempt.messageId, excerpt: bytea },
});

interface StandaloneListing {
  /** The start time and the id of the previous page's last row. */
  readonly before: { readonly at: Date; readonly id: string } | null;
  readonly limit: number;
  readonly triggers?: readonly ('test' | 'check')[];
}

/** Returns test webhooks and calls of receiver checks, newest first. */
export async function listStandaloneAttempts(
  db: Queryable,
  { merchantId, environment }: Scope,
  { before, limit, triggers = ['test', 'check'] }: StandaloneListing,
): Promise<StandaloneAttempt[]> {
  const [beforeAt, beforeId] = [before?.at ?? null, before?.id ?? null];
  const values = { merchantId, environment, limit, excerptBytes: EXCERPT_BYTES, beforeAt, beforeId, triggers };
  const rows = await LIST_STANDALONE.rows(db, values);
  return rows.map(readRow);
}

const LIST_ATTEMPTS = statement({
  name: 'list the attempts of deliveries',
  text: `SELECT ${ATTEMPT_COLUMNS}, substring(response_body FROM 1 FOR $excerptBytes) AS excerpt FROM webhook_attempt
         WHERE merchant_id = $merchantId AND environment = $environment AND delivery_id = ANY ($ids::uuid[]) AND started_at >= $since
         ORDER BY delivery_id, started_at DESC, id DESC`,
  parameters: { ...pick(webhookAttempt, 'merchantId environment'), ids: array(uuid), excerptBytes: int4, since: timestamptz },
  columns: { ...ATTEMPT_TYPES, excerpt: bytea },
});

/**
 * Returns the attempts of deliveries, newest first for each delivery. Does not read partitions from before the oldest of the deliveries was
 * created.
 */
export async function listAttempts(
  db: Queryable,
  { merchantId, environment }: Scope,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'createdAt'>[],
  excerptBytes = EXCERPT_BYTES,
): Promise<LoggedAttempt[]> {
  if (deliveries.length === 0) return [];
  const first = Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime()));
  const [ids, since] = [deliveries.map(({ id }) => id), new Date(first - CLOCK_SKEW_MS)];
  const rows = await LIST_ATTEMPTS.rows(db, { merchantId, environment, ids, excerptBytes, since });
  return rows.map(readRow);
}
