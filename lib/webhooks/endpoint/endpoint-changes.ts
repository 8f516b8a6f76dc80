import type { Connection, Queryable } from '@/lib/db/database';
import { nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { endpointStatus } from '@/lib/webhooks/sql-types';
import { type DisabledReason, type EndpointStatus, HEALTH_TYPES } from './endpoint-store';
import type { Health } from './health-rules';

export async function updateEndpointUrl({ prisma }: Connection, id: string, url: string, now: Date): Promise<void> {
  await prisma.webhookEndpoint.updateMany({ where: { id }, data: { url, updatedAt: now } });
}

const UPDATE_STATUS = statement({
  name: "update an endpoint's status",
  text: 'UPDATE webhook_endpoint SET status = $status, disabled_reason = $reason, status_since = $now, updated_at = $now WHERE id = $id',
  parameters: { id: uuid, status: endpointStatus, reason: nullable(text), now: timestamptz },
  columns: {},
});

export async function updateEndpointStatus(
  tx: Queryable,
  id: string,
  change: { status: EndpointStatus; reason: DisabledReason | null; now: Date },
): Promise<void> {
  await UPDATE_STATUS.rows(tx, { ...change, id });
}

interface Secrets {
  readonly current: Uint8Array;
  readonly previous: { readonly encrypted: Uint8Array; readonly until: Date } | null;
}

export async function updateEndpointSecrets({ prisma }: Connection, id: string, { current, previous }: Secrets, now: Date): Promise<void> {
  await prisma.webhookEndpoint.updateMany({
    where: { id },
    data: {
      encryptedSecret: Buffer.from(current),
      encryptedPreviousSecret: previous && Buffer.from(previous.encrypted),
      previousSecretUntil: previous?.until ?? null,
      updatedAt: now,
    },
  });
}

const UPDATE_HEALTH = statement({
  name: "update an endpoint's health",
  text: `UPDATE webhook_endpoint SET parallelism = $parallelism, failure_count = $failureCount, failing_since = $failingSince,
           last_success_at = $lastSuccessAt, last_failure_at = $lastFailureAt, slowed_at = $slowedAt, rest_until = $restUntil,
           breaker_step = $breakerStep, warnings_given = $warningsGiven, catch_up_from = $catchUpFrom
         WHERE id = $id`,
  parameters: {
    id: uuid,
    ...HEALTH_TYPES,
  },
  columns: {},
});

export async function updateEndpointHealth(tx: Queryable, id: string, health: Health): Promise<void> {
  await UPDATE_HEALTH.rows(tx, { ...health, id });
}
