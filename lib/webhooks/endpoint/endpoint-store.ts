import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Health } from './health-rules';

type EndpointStatus = 'active' | 'paused' | 'disabled';

/** Where one merchant's webhooks of one environment go. */
export interface Endpoint extends Scope, Health {
  readonly id: string;
  readonly url: string | null;
  readonly encryptedSecret: Uint8Array;
  readonly encryptedPreviousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  readonly status: EndpointStatus;
  readonly disabledReason: 'gone' | 'failing' | null;
  readonly statusSince: Date;
}

const HEALTH_COLUMNS = `parallelism, failure_count AS "failureCount", failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
  last_failure_at AS "lastFailureAt", slowed_at AS "slowedAt", rest_until AS "restUntil", breaker_step AS "breakerStep",
  warnings_given AS "warningsGiven", catch_up_from AS "catchUpFrom"`;

const ENDPOINT_COLUMNS = `id, merchant_id AS "merchantId", environment, url, encrypted_secret AS "encryptedSecret",
  encrypted_previous_secret AS "encryptedPreviousSecret", previous_secret_until AS "previousSecretUntil", status, disabled_reason AS "disabledReason",
  status_since AS "statusSince", ${HEALTH_COLUMNS}`;

export async function findEndpoint(db: Queryable, scope: Scope): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>(
    { text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2` },
    [scope.merchantId, scope.environment],
  );
  return endpoint;
}

/** @returns a merchant's endpoint, locked. Throws when there is none: every profile has one. */
export async function lockEndpoint(tx: Queryable, scope: Scope): Promise<Endpoint> {
  const [endpoint] = await tx.query<Endpoint>(
    { text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE` },
    [scope.merchantId, scope.environment],
  );
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  return endpoint;
}

/** @returns one of all endpoints, to see whether its secret can be read; undefined while there is none. */
export async function findAnyEndpoint(db: Queryable): Promise<Endpoint | undefined> {
  const [endpoint] = await db.query<Endpoint>({ text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint ORDER BY id LIMIT 1` });
  return endpoint;
}

/** @returns every endpoint that has an address, with its merchant's slug, those that are not well first. */
export async function listEndpoints(db: Queryable, environment: Environment | null): Promise<(Endpoint & { readonly merchant: string })[]> {
  return db.query<Endpoint & { readonly merchant: string }>(
    {
      text: `SELECT e.*, m.slug AS merchant FROM (SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint) e JOIN merchant m ON m.id = e."merchantId"
             WHERE e.url IS NOT NULL AND ($1::environment IS NULL OR e.environment = $1)
             ORDER BY e.status = 'active', e."failingSince", m.slug, e.environment`,
    },
    [environment],
  );
}

/** What an endpoint's secrets are encrypted for. */
export function webhookContext({ merchantId, environment }: Scope): string {
  return `webhook:${merchantId}:${environment}`;
}

export async function updateEndpointUrl(tx: Queryable, id: string, url: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE webhook_endpoint SET url = $2, updated_at = $3 WHERE id = $1' }, [id, url, now]);
}

export async function updateEndpointStatus(
  tx: Queryable,
  id: string,
  { status, reason, now }: { status: EndpointStatus; reason: Endpoint['disabledReason']; now: Date },
): Promise<void> {
  await tx.query(
    { text: 'UPDATE webhook_endpoint SET status = $2, disabled_reason = $3, status_since = $4, updated_at = $4 WHERE id = $1' },
    [id, status, reason, now],
  );
}

interface Secrets {
  readonly current: Uint8Array;
  readonly previous: { readonly encrypted: Uint8Array; readonly until: Date } | null;
}

export async function updateEndpointSecrets(tx: Queryable, id: string, { current, previous }: Secrets, now: Date): Promise<void> {
  await tx.query(
    {
      text: `UPDATE webhook_endpoint SET encrypted_secret = $2, encrypted_previous_secret = $3, previous_secret_until = $4, updated_at = $5 WHERE id = $1`,
    },
    [id, current, previous?.encrypted ?? null, previous?.until ?? null, now],
  );
}

/** @returns endpoints by id. @param lock for changing them: always in the order of their ids, so that nobody waits in a circle. */
export async function findEndpoints(tx: Queryable, ids: readonly string[], { lock }: { lock: boolean }): Promise<Endpoint[]> {
  return tx.query<Endpoint>(
    { text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE id = ANY ($1::uuid[]) ORDER BY id ${lock ? 'FOR NO KEY UPDATE' : ''}` },
    [ids],
  );
}

export async function updateEndpointHealth(tx: Queryable, id: string, health: Health): Promise<void> {
  await tx.query(
    {
      text: `UPDATE webhook_endpoint SET parallelism = $2, failure_count = $3, failing_since = $4, last_success_at = $5, last_failure_at = $6, slowed_at = $7,
               rest_until = $8, breaker_step = $9, warnings_given = $10, catch_up_from = $11
             WHERE id = $1`,
    },
    [
      id,
      health.parallelism,
      health.failureCount,
      health.failingSince,
      health.lastSuccessAt,
      health.lastFailureAt,
      health.slowedAt,
      health.restUntil,
      health.breakerStep,
      health.warningsGiven,
      health.catchUpFrom,
    ],
  );
}

/** @returns endpoints about which something may be due beside calling them. */
export async function findEndpointsToTend(db: Queryable): Promise<Endpoint[]> {
  return db.query<Endpoint>({
    text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint WHERE failing_since IS NOT NULL OR catch_up_from IS NOT NULL ORDER BY id`,
  });
}

/**
 * Makes due what failed before an endpoint was well again and waits for its time, at most so many.
 * @returns how many there were.
 */
export async function hastenDeliveries(
  tx: Queryable,
  { endpointId, before, now, limit }: { endpointId: string; before: Date; now: Date; limit: number },
): Promise<number> {
  const rows = await tx.query(
    {
      text: `UPDATE webhook_delivery SET due_at = $3 WHERE id IN (
               SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'PENDING' AND priority = 1 AND due_at > $3 AND last_attempt_at < $2
               ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
             RETURNING 1 AS hastened`,
    },
    [endpointId, before, now, limit],
  );
  return rows.length;
}

/** @returns when the first delivery that is owed to an endpoint is due; null when none waits to be sent. */
export async function findNextDue(tx: Queryable, endpointId: string): Promise<Date | null> {
  const first = (priority: 0 | 1) =>
    `(SELECT due_at FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'PENDING' AND priority = ${priority} ORDER BY due_at LIMIT 1)`;
  const [row] = await tx.query<{ next: Date | null }>({ text: `SELECT least(${first(0)}, ${first(1)}) AS next` }, [endpointId]);
  return row?.next ?? null;
}
