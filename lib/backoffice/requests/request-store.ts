import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { apiRequest } from '@/lib/platform/db/generated/tables';
import { array, arrays, int4, nullable, pick, select, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRows } from '@/lib/platform/db/unnest';

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

const NEW_REQUEST = arrays(
  pick(
    apiRequest,
    `id merchantId environment failed at keyId requestId method path status durationUs code refusal address headers body complete
     answerHeaders answer billId replayOf replayedBy`,
  ),
);
const INSERT = statement({
  name: 'insert-api-requests',
  prepared: true,
  text: insertRows('api_request', NEW_REQUEST),
  parameters: NEW_REQUEST,
});

export async function insertRequests(db: Queryable, rows: readonly RequestRow[]): Promise<void> {
  await INSERT.rows(db, columnsOf(rows, NEW_REQUEST));
}

/** Selects requests that meet all given conditions. A condition that is null does not filter. */
export interface RequestFilter {
  /** True: only requests that failed. */
  readonly failed: boolean;
  /** The first digit of the HTTP status, for example 4 for 404; null for any status. */
  readonly statusClass: number | null;
  /** A text that the path or the query must contain. */
  readonly path: string | null;
  readonly keyId: string | null;
  /** The beginning of the request id. */
  readonly requestId: string | null;
}

/** The columns that both the list of requests and the page of one request show. */
const LISTED = pick(apiRequest, 'id at keyId requestId method path status durationUs code refusal billId replayOf');

const LIST = statement({
  name: 'list API requests',
  text: `SELECT ${select(LISTED)}, CASE WHEN failed THEN substr(answer, 1, 500) ELSE '' END AS answer
         FROM api_request
         WHERE merchant_id = $merchantId AND environment = $environment AND failed = ANY ($failed) AND ($before::uuid IS NULL OR id < $before)
           AND ($statusClass::int IS NULL OR status / 100 = $statusClass) AND ($path::text IS NULL OR strpos(path, $path) > 0)
           AND ($keyId::text IS NULL OR key_id = $keyId) AND ($requestId::text IS NULL OR starts_with(request_id, $requestId))
         ORDER BY id DESC LIMIT $limit::int`,
  parameters: {
    ...pick(apiRequest, 'merchantId environment'),
    failed: array(apiRequest.failed),
    before: nullable(uuid),
    statusClass: nullable(int4),
    path: nullable(apiRequest.path),
    keyId: nullable(apiRequest.keyId),
    requestId: nullable(apiRequest.requestId),
    limit: int4,
  },
  columns: { ...LISTED, answer: nullable(apiRequest.answer) },
});

export type ListedRequest = Awaited<ReturnType<typeof LIST.rows>>[number];

export async function listRequestRows(
  db: Queryable,
  { merchantId, environment }: Scope,
  { before, limit, failed: onlyFailed, ...filter }: RequestFilter & { readonly before: string | null; readonly limit: number },
): Promise<ListedRequest[]> {
  const { statusClass } = filter;
  const failed = onlyFailed ? [true] : statusClass === null ? [false, true] : [statusClass >= 4];
  return LIST.rows(db, { merchantId, environment, failed, before, limit, ...filter });
}

const DETAILED = { ...LISTED, ...pick(apiRequest, 'address headers body complete answerHeaders answer replayedBy') };

const FIND = statement({
  name: 'find an API request',
  text: `SELECT ${select(DETAILED)} FROM api_request
         WHERE merchant_id = $merchantId AND environment = $environment AND failed = ANY ('{f,t}') AND id = $id`,
  parameters: pick(apiRequest, 'merchantId environment id'),
  columns: DETAILED,
});

export type StoredRequest = Awaited<ReturnType<typeof FIND.rows>>[number];

export async function findRequest(db: Queryable, { merchantId, environment }: Scope, id: string): Promise<StoredRequest | undefined> {
  return FIND.first(db, { merchantId, environment, id });
}
