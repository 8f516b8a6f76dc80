import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { merchant, webhookEndpoint } from '@/lib/platform/db/generated/tables';
import { array, nullable, pick, select, selectionOf, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { DISABLED_REASONS, type DisabledReason, type Endpoint, type EndpointStatus, type Health } from './endpoint-rules';

/** Returns the encryption context of an endpoint's secrets. They can be decrypted only with the same context. */
export function webhookContext({ merchantId, environment }: Scope): string {
  return `webhook:${merchantId}:${environment}`;
}

/** The columns of an endpoint's {@link Health}. */
const HEALTH_TYPES = pick(
  webhookEndpoint,
  `parallelism failureCount failingSince lastSuccessAt lastFailureAt slowedAt restUntil breakerStep warningsGiven
    catchUpFrom`,
);
const COLUMN_TYPES = {
  ...pick(
    webhookEndpoint,
    `id merchantId environment url encryptedSecret encryptedPreviousSecret previousSecretUntil status
    disabledReason statusSince`,
  ),
  ...HEALTH_TYPES,
};
const COLUMNS = select(COLUMN_TYPES);
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
  parameters: pick(webhookEndpoint, 'merchantId environment'),
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
  columns: pick(webhookEndpoint, 'merchantId environment encryptedSecret'),
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
  parameters: { environment: nullable(webhookEndpoint.environment) },
  columns: { ...COLUMN_TYPES, merchant: merchant.slug },
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

const UPDATE_STATUS = statement({
  name: "update an endpoint's status",
  text: 'UPDATE webhook_endpoint SET status = $status, disabled_reason = $reason, status_since = $now, updated_at = $now WHERE id = $id',
  parameters: { ...pick(webhookEndpoint, 'id status'), reason: webhookEndpoint.disabledReason, now: timestamptz },
});

export async function updateEndpointStatus(
  tx: Queryable,
  id: string,
  change: { status: EndpointStatus; reason: DisabledReason | null; now: Date },
): Promise<void> {
  await UPDATE_STATUS.rows(tx, { ...change, id });
}

const UPDATE_HEALTH = statement({
  name: "update an endpoint's health",
  text: `UPDATE webhook_endpoint SET parallelism = $parallelism, failure_count = $failureCount, failing_since = $failingSince,
           last_success_at = $lastSuccessAt, last_failure_at = $lastFailureAt, slowed_at = $slowedAt, rest_until = $restUntil,
           breaker_step = $breakerStep, warnings_given = $warningsGiven, catch_up_from = $catchUpFrom
         WHERE id = $id`,
  parameters: { id: webhookEndpoint.id, ...HEALTH_TYPES },
});

export async function updateEndpointHealth(tx: Queryable, id: string, health: Health): Promise<void> {
  await UPDATE_HEALTH.rows(tx, { ...health, id });
}

type Encrypted = Scope & Pick<Endpoint, 'encryptedSecret' | 'encryptedPreviousSecret' | 'previousSecretUntil'>;

/** Returns the secrets that sign webhooks now: the current one, and for some time after a rotation also the previous one. */
export function signingSecrets({ secrets }: Pick<Runtime, 'secrets'>, endpoint: Encrypted, now: Date): string[] {
  const { encryptedSecret, encryptedPreviousSecret: previous, previousSecretUntil: until } = endpoint;
  const context = webhookContext(endpoint);
  const current = secrets.decryptOften(encryptedSecret, context);
  return previous && until && now < until ? [current, secrets.decryptOften(previous, context)] : [current];
}
