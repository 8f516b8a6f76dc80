import type { Environment, Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, bytea, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { endpointStatus, selectionOf } from '@/lib/webhooks/sql-types';
import type { Health } from './health-rules';

const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
export type EndpointStatus = 'active' | 'paused' | 'disabled';

export interface Endpoint extends Scope, Health {
  readonly id: string;
  readonly url: string | null;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly statusSince: Date;
}

/** Returns the encryption context of an endpoint's secrets. They can be decrypted only with the same context. */
export function webhookContext({ merchantId, environment }: Scope): string {
  return `webhook:${merchantId}:${environment}`;
}

const COLUMNS = `id, merchant_id AS "merchantId", environment, url, encrypted_secret AS "encryptedSecret",
  encrypted_previous_secret AS "encryptedPreviousSecret", previous_secret_until AS "previousSecretUntil", status, disabled_reason AS "disabledReason",
  status_since AS "statusSince", parallelism, failure_count AS "failureCount", failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
  last_failure_at AS "lastFailureAt", slowed_at AS "slowedAt", rest_until AS "restUntil", breaker_step AS "breakerStep",
  warnings_given AS "warningsGiven", catch_up_from AS "catchUpFrom"`;
/** The columns of an endpoint's {@link Health}. */
export const HEALTH_TYPES = {
  parallelism: int4,
  failureCount: int4,
  failingSince: nullable(timestamptz),
  lastSuccessAt: nullable(timestamptz),
  lastFailureAt: nullable(timestamptz),
  slowedAt: nullable(timestamptz),
  restUntil: nullable(timestamptz),
  breakerStep: int4,
  warningsGiven: int4,
  catchUpFrom: nullable(timestamptz),
};
const COLUMN_TYPES = {
  id: uuid,
  merchantId: uuid,
  environment,
  url: nullable(text),
  encryptedSecret: bytea,
  encryptedPreviousSecret: nullable(bytea),
  previousSecretUntil: nullable(timestamptz),
  status: endpointStatus,
  disabledReason: nullable(text),
  statusSince: timestamptz,
  ...HEALTH_TYPES,
};
const SELECT = selectionOf(COLUMN_TYPES);

function readEndpoint(row: Omit<Endpoint, 'disabledReason'> & { readonly disabledReason: string | null }): Endpoint {
  return { ...row, disabledReason: DISABLED_REASONS.find((reason) => reason === row.disabledReason) ?? null };
}

export async function findEndpoint({ prisma }: Connection, { merchantId, environment }: Scope): Promise<Endpoint | undefined> {
  const row = await prisma.webhookEndpoint.findUnique({
    where: { merchantId_environment: { merchantId, environment } },
    select: SELECT,
  });
  return row ? readEndpoint(row) : undefined;
}

const LOCK = statement({
  name: 'lock an endpoint',
  text: `SELECT ${COLUMNS} FROM webhook_endpoint WHERE merchant_id = $merchantId AND environment = $environment FOR NO KEY UPDATE`,
  parameters: { merchantId: uuid, environment },
  columns: COLUMN_TYPES,
});

/** Returns a merchant's endpoint, locked. Throws if there is none, because every profile has one. */
export async function lockEndpoint(tx: Queryable, scope: Scope): Promise<Endpoint> {
  const row = await LOCK.first(tx, scope);
  if (!row) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  return readEndpoint(row);
}

// Each process runs this statement when it starts. Prisma's client would take most of the start time, and most commands do not need it.
const FIND_ANY_SECRET = statement({
  name: 'find a signing secret',
  text: `SELECT merchant_id AS "merchantId", environment, encrypted_secret AS "encryptedSecret" FROM webhook_endpoint ORDER BY id LIMIT 1`,
  parameters: {},
  columns: { merchantId: uuid, environment, encryptedSecret: bytea },
});

/**
 * Returns the encrypted secret of any endpoint, so that the caller can test whether it can be decrypted. Undefined if there is no endpoint.
 */
export async function findAnySecret(db: Queryable): Promise<(Scope & Pick<Endpoint, 'encryptedSecret'>) | undefined> {
  return FIND_ANY_SECRET.first(db, {});
}

const LIST = statement({
  name: 'list endpoints that have an address',
  text: `SELECT e.*, m.slug AS merchant FROM (SELECT ${COLUMNS} FROM webhook_endpoint) e JOIN merchant m ON m.id = e."merchantId"
         WHERE e.url IS NOT NULL AND ($environment::environment IS NULL OR e.environment = $environment)
         ORDER BY e.status = 'active', e."failingSince", m.slug, e.environment`,
  parameters: { environment: nullable(environment) },
  columns: { ...COLUMN_TYPES, merchant: text },
});

/** Returns all endpoints that have an address, with the merchant's slug. Stopped and failing endpoints come first. */
export async function listEndpoints(db: Queryable, environment: Environment | null): Promise<(Endpoint & { readonly merchant: string })[]> {
  const rows = await LIST.rows(db, { environment });
  return rows.map((row) => ({ ...readEndpoint(row), merchant: row.merchant }));
}

const FIND_SEVERAL = {
  text: `SELECT ${COLUMNS} FROM webhook_endpoint WHERE id = ANY ((SELECT $ids::uuid[])::uuid[]) ORDER BY id`,
  parameters: { ids: array(uuid) },
  columns: COLUMN_TYPES,
};
const FIND = statement({ ...FIND_SEVERAL, name: 'find endpoints' });
const LOCK_SEVERAL = statement({ ...FIND_SEVERAL, name: 'lock endpoints', text: `${FIND_SEVERAL.text} FOR NO KEY UPDATE` });

/** Returns endpoints by id. @param lock whether to lock them, in the order of their ids to avoid deadlocks. */
export async function findEndpoints(tx: Queryable, ids: readonly string[], { lock }: { lock: boolean }): Promise<Endpoint[]> {
  const rows = await (lock ? LOCK_SEVERAL : FIND).rows(tx, { ids });
  return rows.map(readEndpoint);
}

/** Returns the endpoints that are failing, and the endpoints whose waiting retries must be made due. */
export async function findEndpointsToMaintain({ prisma }: Connection): Promise<Endpoint[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { OR: [{ failingSince: { not: null } }, { catchUpFrom: { not: null } }] },
    select: SELECT,
    orderBy: { id: 'asc' },
  });
  return rows.map(readEndpoint);
}
