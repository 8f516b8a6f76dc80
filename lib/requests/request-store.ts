import { columnsOf } from '@/lib/core/columns-of';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, bytea, environment, int4, jsonb, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A row of the request log. */
export interface RequestRow extends Scope {
  readonly id: string;
  readonly failed: boolean;
  readonly at: Date;
  readonly keyId: string;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Microseconds. */
  readonly durationUs: number;
  readonly code: string | null;
  readonly refusal: string | null;
  readonly address: string | null;
  /** JSON. */
  readonly headers: string;
  readonly body: Buffer | null;
  readonly complete: boolean;
  /** JSON. */
  readonly answerHeaders: string;
  readonly answer: string;
  readonly billId: string | null;
  readonly replayOf: string | null;
  readonly replayedBy: string | null;
}

const INSERT = statement({
  name: 'insert-api-requests',
  prepared: true,
  text: `INSERT INTO api_request (id, merchant_id, environment, failed, at, key_id, request_id, method, path, status, duration_us, code, refusal,
           address, headers, body, complete, answer_headers, answer, bill_id, replay_of, replayed_by)
         SELECT * FROM unnest($id::uuid[], $merchantId::uuid[], $environment::environment[], $failed::boolean[], $at::timestamptz[],
           $keyId::text[], $requestId::text[], $method::text[], $path::text[], $status::int[], $durationUs::int[], $code::text[],
           $refusal::text[], $address::text[], $headers::jsonb[], $body::bytea[], $complete::boolean[], $answerHeaders::jsonb[],
           $answer::text[], $billId::uuid[], $replayOf::uuid[], $replayedBy::text[])`,
  parameters: {
    id: array(uuid),
    merchantId: array(uuid),
    environment: array(environment),
    failed: array(boolean),
    at: array(timestamptz),
    keyId: array(text),
    requestId: array(text),
    method: array(text),
    path: array(text),
    status: array(int4),
    durationUs: array(int4),
    code: array(nullable(text)),
    refusal: array(nullable(text)),
    address: array(nullable(text)),
    headers: array(jsonb),
    body: array(nullable(bytea)),
    complete: array(boolean),
    answerHeaders: array(jsonb),
    answer: array(text),
    billId: array(nullable(uuid)),
    replayOf: array(nullable(uuid)),
    replayedBy: array(nullable(text)),
  },
  columns: {},
});

export async function insertRequests(db: Queryable, rows: readonly RequestRow[]): Promise<void> {
  await INSERT.rows(db, columnsOf(rows, INSERT.parameters));
}

/** Selects requests that meet all given conditions. A condition that is null does not filter. */
export interface RequestFilter {
  /** The first digit of the HTTP status, for example 4 for 404; null for any status. */
  readonly statusClass: number | null;
  /** A text that the path or the query must contain. */
  readonly path: string | null;
  readonly keyId: string | null;
  /** The beginning of the request id. */
  readonly requestId: string | null;
}

/** The columns that both the list of requests and the page of one request show. */
const LISTED = {
  id: uuid,
  at: timestamptz,
  keyId: text,
  requestId: text,
  method: text,
  path: text,
  status: int4,
  durationUs: int4,
  code: nullable(text),
  refusal: nullable(text),
  replayOf: nullable(uuid),
};

const LIST = statement({
  name: 'list API requests',
  text: `SELECT id, at, key_id AS "keyId", request_id AS "requestId", method, path, status, duration_us AS "durationUs", code, refusal,
           replay_of AS "replayOf", CASE WHEN failed THEN substr(answer, 1, 500) ELSE '' END AS answer
         FROM api_request
         WHERE merchant_id = $merchantId AND environment = $environment AND failed = ANY ($failed) AND ($before::uuid IS NULL OR id < $before)
           AND ($statusClass::int IS NULL OR status / 100 = $statusClass) AND ($path::text IS NULL OR strpos(path, $path) > 0)
           AND ($keyId::text IS NULL OR key_id = $keyId) AND ($requestId::text IS NULL OR starts_with(request_id, $requestId))
         ORDER BY id DESC LIMIT $limit::int`,
  parameters: {
    merchantId: uuid,
    environment,
    failed: array(boolean),
    before: nullable(uuid),
    statusClass: nullable(int4),
    path: nullable(text),
    keyId: nullable(text),
    requestId: nullable(text),
    limit: int4,
  },
  columns: {
    ...LISTED,
    answer: nullable(text),
  },
});

export type ListedRequest = Awaited<ReturnType<typeof LIST.rows>>[number];

export async function listRequestRows(
  db: Queryable,
  { merchantId, environment }: Scope,
  { before, limit, ...filter }: RequestFilter & { readonly before: string | null; readonly limit: number },
): Promise<ListedRequest[]> {
  const { statusClass } = filter;
  const failed = statusClass === null ? [false, true] : [statusClass >= 4];
  return LIST.rows(db, { merchantId, environment, failed, before, limit, ...filter });
}

const FIND = statement({
  name: 'find an API request',
  text: `SELECT id, at, key_id AS "keyId", request_id AS "requestId", method, path, status, duration_us AS "durationUs", code, refusal,
           replay_of AS "replayOf", address, headers, body, complete, answer_headers AS "answerHeaders", answer, bill_id AS "billId",
           replayed_by AS "replayedBy"
         FROM api_request
         WHERE merchant_id = $merchantId AND environment = $environment AND failed = ANY ('{f,t}') AND id = $id`,
  parameters: { merchantId: uuid, environment, id: uuid },
  columns: {
    ...LISTED,
    address: nullable(text),
    headers: jsonb,
    body: nullable(bytea),
    complete: boolean,
    answerHeaders: jsonb,
    answer: text,
    billId: nullable(uuid),
    replayedBy: nullable(text),
  },
});

export type StoredRequest = Awaited<ReturnType<typeof FIND.rows>>[number];

export async function findRequest(db: Queryable, { merchantId, environment }: Scope, id: string): Promise<StoredRequest | undefined> {
  return FIND.first(db, { merchantId, environment, id });
}
