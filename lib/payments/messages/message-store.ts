import { z } from 'zod';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { columnsOf } from '@/lib/core/columns-of';
import type { Scope } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';
import { array, bytea, enumType, environment, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnest } from '@/lib/db/unnest';
import type { ProviderAccount, RawAnswer, RawCallback } from '@/lib/providers/port/port';
import { sharedQueue } from '@/lib/queues/shared-queue';

/**
 * `answer` and `reversal`: the answers to a prompt request and to a reversal request. `status` and `reversal_status`: the answers to status
 * queries about an attempt and about a reversal.
 */
const MESSAGE_KINDS = ['answer', 'status', 'callback', 'reversal', 'reversal_status'] as const;
type MessageKind = (typeof MESSAGE_KINDS)[number];

export const messageKind = enumType('message_kind', MESSAGE_KINDS);
export const lostAnswer = enumType('lost_answer', ['not_sent', 'unknown']);

export interface ProviderMessageRow {
  readonly id: string;
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  readonly attemptId: string | null;
  readonly reversalRequestId?: string;
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

const NEW_MESSAGE = {
  id: array(uuid),
  environment: array(environment),
  accountId: array(uuid),
  attemptId: array(nullable(uuid)),
  kind: array(messageKind),
  status: array(nullable(int4)),
  headers: array(jsonb),
  body: array(bytea),
  error: array(nullable(text)),
  lost: array(nullable(lostAnswer)),
  reversalRequestId: array(nullable(uuid)),
  leaseToken: array(nullable(int4)),
  receivedAt: array(timestamptz),
  dueAt: array(timestamptz),
  tookMs: array(nullable(int4)),
};
const INSERT_MESSAGES = statement({
  name: 'insert-provider-messages',
  prepared: true,
  text: `INSERT INTO provider_message (id, environment, provider_account_id, attempt_id, kind, http_status, headers, body, error, lost,
           reversal_request_id, lease_token, received_at, due_at, took_ms)
         SELECT n.* FROM ${unnest('$id::uuid[]', '$environment::environment[]', '$accountId::uuid[]', '$attemptId::uuid[]', '$kind::message_kind[]', '$status::int[]', '$headers::jsonb[]', '$body::bytea[]', '$error::text[]', '$lost::lost_answer[]', '$reversalRequestId::uuid[]', '$leaseToken::int[]', '$receivedAt::timestamptz[]', '$dueAt::timestamptz[]', '$tookMs::int[]')} AS n
         ON CONFLICT (id) DO NOTHING`,
  parameters: NEW_MESSAGE,
  columns: {},
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
    accountId: account.id,
    status: message.status ?? null,
    headers: JSON.stringify(message.headers),
    body: Buffer.from(message.body),
    error: message.error ?? null,
    lost: message.lost ?? null,
    reversalRequestId: row.reversalRequestId ?? null,
    dueAt: addMs(row.receivedAt, APPLY_AFTER_MS),
    tookMs: row.tookMs ?? null,
  }));
  await INSERT_MESSAGES.rows(db, columnsOf(values, NEW_MESSAGE));
}

/** A provider message about an attempt, as it was received. */
export type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number];

const LIST_MESSAGES = statement({
  name: 'list the provider messages of a bill',
  text: `SELECT m.id, a.id AS "attemptId", c.provider, m.kind, m.http_status AS "httpStatus", m.headers,
           substring(m.body FROM 1 FOR $bytes) AS body, length(m.body) AS size, m.error, m.received_at AS "receivedAt"
         FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id JOIN provider_account c ON c.id = m.provider_account_id
         WHERE a.bill_id = $billId AND a.merchant_id = $merchantId AND a.environment = $environment
         ORDER BY m.received_at DESC, m.id DESC LIMIT $limit`,
  parameters: { billId: uuid, merchantId: uuid, environment, bytes: int4, limit: int8 },
  columns: {
    id: uuid,
    attemptId: uuid,
    provider: text,
    kind: messageKind,
    httpStatus: nullable(int4),
    headers: jsonb,
    /** The first bytes of the body; `size` is its full length. */
    body: bytea,
    size: int4,
    error: nullable(text),
    receivedAt: timestamptz,
  },
});

const headersSchema = z.record(z.string(), z.unknown());

/** Returns the newest provider messages about a bill's attempts, newest first. */
export async function listMessages(
  db: Queryable,
  { merchantId, environment }: Scope,
  billId: string,
  { bytes, limit }: { readonly bytes: number; readonly limit: number },
) {
  const rows = await LIST_MESSAGES.rows(db, { billId, merchantId, environment, bytes, limit: BigInt(limit) });
  return rows.map((row) => ({ ...row, headers: headersSchema.parse(row.headers) }));
}

const COUNT_MESSAGES = statement({
  name: 'count the provider messages of a bill',
  text: `SELECT count(*)::int AS n FROM push_attempt a JOIN provider_message m ON m.attempt_id = a.id
         WHERE a.bill_id = $billId AND a.merchant_id = $merchantId AND a.environment = $environment`,
  parameters: { billId: uuid, merchantId: uuid, environment },
  columns: { n: int4 },
});

export async function countMessages(db: Queryable, { merchantId, environment }: Scope, billId: string): Promise<number> {
  return (await COUNT_MESSAGES.first(db, { billId, merchantId, environment }))?.n ?? 0;
}

const ATTACH_MESSAGE = statement({
  name: 'attach-message',
  prepared: true,
  text: 'UPDATE provider_message SET attempt_id = $attemptId WHERE id = $messageId',
  parameters: { messageId: uuid, attemptId: uuid },
  columns: {},
});

export async function attachMessage(db: Queryable, messageId: string, attemptId: string): Promise<void> {
  await ATTACH_MESSAGE.rows(db, { messageId, attemptId });
}
