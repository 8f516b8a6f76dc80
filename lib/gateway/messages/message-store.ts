import { z } from 'zod';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerMessage, pushAttempt } from '@/lib/platform/db/generated/tables';
import { arrays, float8, int4, int8, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRows } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import type { ProviderAccount, RawAnswer, RawCallback } from '@/lib/providers/port/port';

/**
 * `answer`, `refund` and `instrument`: the answers to requests for a prompt, a refund and an instrument. The kinds with `status`: the answers
 * to status queries about them. `instrument_change`: the answer to a request to change or cancel an instrument.
 */
type MessageKind = 'answer' | 'status' | 'callback' | 'refund' | 'refund_status' | 'instrument' | 'instrument_status' | 'instrument_change';

export interface ProviderMessageRow {
  readonly id: string;
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  readonly attemptId: string | null;
  readonly refundId?: string;
  readonly instrumentId?: string;
  readonly kind: MessageKind;
  readonly message: RawCallback & Partial<Pick<RawAnswer, 'status' | 'error' | 'lost'>>;
  /** The fencing token of the lease under which a worker called the provider; null for a callback. */
  readonly leaseToken: number | null;
  readonly receivedAt: Date;
  /** How long the provider took to answer the worker's call, in milliseconds; not set for a callback. */
  readonly tookMs?: number;
}

/** The process that stored a message should apply it within this time. After this time a worker applies it. */
const APPLY_AFTER_MS = 10 * SECOND_MS;

const NEW_MESSAGE = arrays(
  pick(
    providerMessage,
    `id environment providerAccountId attemptId kind httpStatus headers body error lost refundId instrumentId leaseToken receivedAt dueAt tookMs`,
  ),
);
const INSERT_MESSAGES = statement({
  name: 'insert-provider-messages',
  prepared: true,
  text: `${insertRows('provider_message', NEW_MESSAGE)} ON CONFLICT (id) DO NOTHING`,
  parameters: NEW_MESSAGE,
});

const insertShared = sharedQueue<ProviderMessageRow, 'stored'>({
  async runBatch(db, rows) {
    await insertMessages(db, rows);
    return rows.map(() => 'stored');
  },
  async runAlone(db, row) {
    await insertMessages(db, [row]);
    return 'stored';
  },
});

/** Stores a message, in one statement with other messages that come at the same time. Does nothing if the id is already stored. */
export async function insertProviderMessage(db: Database, row: ProviderMessageRow): Promise<void> {
  await insertShared(db, row.account.id, row);
}

async function insertMessages(db: Database, rows: readonly ProviderMessageRow[]): Promise<void> {
  const values = rows.map(({ account, message, ...row }) => ({
    ...row,
    environment: account.environment,
    providerAccountId: account.id,
    httpStatus: message.status ?? null,
    headers: JSON.stringify(message.headers),
    body: Buffer.from(message.body),
    error: message.error ?? null,
    lost: message.lost ?? null,
    refundId: row.refundId ?? null,
    instrumentId: row.instrumentId ?? null,
    dueAt: addMs(row.receivedAt, APPLY_AFTER_MS),
    tookMs: row.tookMs ?? null,
  }));
  await INSERT_MESSAGES.rows(db, columnsOf(values, NEW_MESSAGE));
}

/** A provider message about an attempt or an instrument, as it was received. */
export type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number];

const LIST_MESSAGES = statement({
  name: 'list the provider messages of a bill',
  text: `WITH subject AS (
           SELECT id AS attempt_id, NULL::uuid AS instrument_id FROM push_attempt
           WHERE bill_id = $billId AND merchant_id = $merchantId AND environment = $environment
           UNION ALL SELECT NULL, id FROM instrument WHERE bill_id = $billId AND merchant_id = $merchantId AND environment = $environment
         ), message AS (
           SELECT m.* FROM subject s JOIN provider_message m ON m.attempt_id = s.attempt_id
           UNION ALL SELECT m.* FROM subject s JOIN provider_message m ON m.instrument_id = s.instrument_id
         )
         SELECT m.id, c.provider, m.kind, m.http_status AS "httpStatus", m.headers,
           substring(m.body FROM 1 FOR $bytes) AS body, length(m.body) AS size, m.error, m.received_at AS "receivedAt"
         FROM message m JOIN provider_account c ON c.id = m.provider_account_id
         ORDER BY m.received_at DESC, m.id DESC LIMIT $limit`,
  parameters: { ...pick(pushAttempt, 'billId merchantId environment'), bytes: int4, limit: int8 },
  columns: {
    ...pick(providerMessage, 'id kind httpStatus headers error receivedAt'),
    provider: providerAccount.provider,
    /** The first bytes of the body; `size` is its full length. */
    body: providerMessage.body,
    size: int4,
  },
});

const headersSchema = z.record(z.string(), z.unknown());

/** Returns the newest provider messages about a bill's attempts and instruments, newest first. */
export async function listMessages(
  db: Queryable,
  scope: Scope,
  billId: string,
  { bytes, limit }: { readonly bytes: number; readonly limit: number },
) {
  const rows = await LIST_MESSAGES.rows(db, { ...scope, billId, bytes, limit: BigInt(limit) });
  return rows.map((row) => ({ ...row, headers: headersSchema.parse(row.headers) }));
}

const ATTACH_MESSAGE = statement({
  name: 'attach-message',
  prepared: true,
  text: 'UPDATE provider_message SET attempt_id = $attemptId WHERE id = $messageId',
  parameters: { messageId: providerMessage.id, attemptId: uuid },
});

export async function attachMessage(db: Queryable, messageId: string, attemptId: string): Promise<void> {
  await ATTACH_MESSAGE.rows(db, { messageId, attemptId });
}

const ATTACH_TO_INSTRUMENT = statement({
  name: 'attach a message to an instrument',
  text: 'UPDATE provider_message SET instrument_id = $instrumentId WHERE id = $messageId',
  parameters: { messageId: providerMessage.id, instrumentId: uuid },
});

export async function attachToInstrument(db: Queryable, messageId: string, instrumentId: string): Promise<void> {
  await ATTACH_TO_INSTRUMENT.rows(db, { messageId, instrumentId });
}

/** A stored message that has not been applied. */
export type UnhandledMessage = Awaited<ReturnType<typeof claimMessages>>[number];

/** The delay from the first claim of a message to the next. It doubles with each claim. It must exceed the time to apply a message. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = HOUR_MS;

const CLAIM_MESSAGES = statement({
  name: 'claim-messages',
  prepared: true,
  text: `
WITH due AS (
  SELECT id FROM provider_message WHERE handled_at IS NULL AND due_at <= $now ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE provider_message m SET
  apply_count = m.apply_count + 1,
  due_at = $now + least($longest::float8, $first::float8 * 2 ^ least(m.apply_count, 20)) * interval '1 millisecond'
FROM due WHERE m.id = due.id
RETURNING m.id, m.environment, m.provider_account_id AS "providerAccountId", m.attempt_id AS "attemptId", m.reversal_request_id AS "refundId",
  m.instrument_id AS "instrumentId",
  m.kind, m.http_status AS status, m.headers, m.body, m.error, m.lost, m.lease_token AS "leaseToken", m.apply_count AS "applyCount"`,
  parameters: { now: timestamptz, limit: int8, first: float8, longest: float8 },
  columns: {
    ...pick(providerMessage, 'id environment providerAccountId attemptId refundId instrumentId kind headers body error lost leaseToken'),
    status: providerMessage.httpStatus,
    /** The number of claims by workers, including this one. */
    applyCount: providerMessage.applyCount,
  },
});

/** Stored headers are texts. Other values are dropped, so that one broken row does not stop the claim of all messages. */
const storedHeaders = z.record(z.string(), z.string()).catch({});

/**
 * Claims messages that were not applied in time. A claim makes the message due again only later. So a message that always fails does not
 * block the others, and two workers never have the same message.
 */
export async function claimMessages(db: Queryable, { now, limit }: { now: Date; limit: number }) {
  const rows = await CLAIM_MESSAGES.rows(db, { now, limit: BigInt(limit), first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS });
  return rows.map((row) => ({ ...row, headers: storedHeaders.parse(row.headers), body: new Uint8Array(row.body) }));
}

const MARK_HANDLED = statement({
  name: 'mark-message-handled',
  prepared: true,
  text: 'UPDATE provider_message SET handled_at = $now WHERE id = $messageId AND handled_at IS NULL',
  parameters: { messageId: providerMessage.id, now: timestamptz },
});

/** Marks a message as applied, in the transaction that applies it or right after it. */
export async function markHandled(db: Queryable, messageId: string, now: Date): Promise<void> {
  await MARK_HANDLED.rows(db, { messageId, now });
}

/** Returns the newest callbacks about an attempt, newest first. */
export async function listCallbacks({ prisma }: Connection, attemptId: string, limit: number): Promise<RawCallback[]> {
  const rows = await prisma.providerMessage.findMany({
    where: { attemptId, kind: 'callback' },
    select: { headers: true, body: true },
    orderBy: [{ receivedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(({ headers, body }) => ({ headers: storedHeaders.parse(headers), body }));
}
