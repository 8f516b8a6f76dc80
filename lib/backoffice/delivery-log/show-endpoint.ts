import { z } from 'zod';
import { currentHold, type Endpoint, type Hold } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { findEndpoint, listEndpoints } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { findProposal, type Proposal } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import type { DeliveryState } from '@/lib/gateway/webhooks/state';
import { type Access, may } from '@/lib/identity/accounts/access/grant-access';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import { webhookDelivery } from '@/lib/platform/db/generated/tables';
import { int4, pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';

/** An endpoint as people see it: without its secrets, and without the fields that only the worker needs. */
export interface EndpointView
  extends Scope,
    Pick<
      Endpoint,
      | 'url'
      | 'status'
      | 'disabledReason'
      | 'statusSince'
      | 'failingSince'
      | 'failureCount'
      | 'warningsGiven'
      | 'lastSuccessAt'
      | 'lastFailureAt'
      | 'previousSecretUntil'
    > {
  /** Why the endpoint's due deliveries are not sent now; null if they are. */
  readonly hold: Hold | null;
  /** Current maximum of parallel calls. */
  readonly parallelism: number;
}

type UndeliveredCounts = Readonly<Record<Exclude<DeliveryState, 'DELIVERED'>, number>>;

export interface ShownEndpoint extends EndpointView {
  /** Deliveries that have not arrived, by state. */
  readonly undelivered: UndeliveredCounts;
  /** The number of undelivered deliveries that are waiting or being sent. */
  readonly waiting: number;
}

const COUNT_UNDELIVERED = statement({
  name: 'count undelivered deliveries',
  text: `SELECT state, count(*)::int AS count FROM webhook_delivery WHERE endpoint_id = $id AND state = 'PENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery WHERE endpoint_id = $id AND state = 'SENDING' GROUP BY state
         UNION ALL SELECT state, count(*)::int FROM webhook_delivery
           WHERE merchant_id = $merchantId AND environment = $environment AND state IN ('BLOCKED', 'EXHAUSTED', 'UNSENT') GROUP BY state`,
  parameters: pick(webhookDelivery, 'id merchantId environment'),
  columns: { state: webhookDelivery.state, count: int4 },
});

/** Returns a merchant's endpoint, its health and its undelivered deliveries. Throws if the merchant has no profile in the environment. */
export async function showEndpoint({ db, clock }: ReadRuntime, scope: Scope): Promise<ShownEndpoint> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  const counts = await COUNT_UNDELIVERED.rows(db, endpoint);
  const counted: Partial<UndeliveredCounts> = Object.fromEntries(counts.map(({ state, count }) => [state, count]));
  const undelivered = { PENDING: 0, SENDING: 0, BLOCKED: 0, EXHAUSTED: 0, UNSENT: 0, ...counted };
  const { PENDING, SENDING, BLOCKED } = undelivered;
  return { ...viewOf(endpoint, clock()), undelivered, waiting: PENDING + SENDING + BLOCKED };
}

/** Returns all endpoints that have an address, for the operator. Stopped and failing endpoints come first. */
export async function showEndpoints(
  { db, clock }: ReadRuntime,
  environment: Environment | null,
): Promise<(EndpointView & { readonly merchant: string })[]> {
  const now = clock();
  return (await listEndpoints(db, environment)).map(({ merchant, ...endpoint }) => ({ merchant, ...viewOf(endpoint, now) }));
}

function viewOf(endpoint: Endpoint, now: Date): EndpointView {
  const { merchantId, environment, url, status, disabledReason, statusSince, failingSince, failureCount, warningsGiven } = endpoint;
  const { lastSuccessAt, lastFailureAt, previousSecretUntil: until, parallelism } = endpoint;
  const health = { failingSince, failureCount, warningsGiven, lastSuccessAt, lastFailureAt, parallelism };
  const previousSecretUntil = until && until > now ? until : null;
  return {
    merchantId,
    environment,
    url,
    status,
    disabledReason,
    statusSince,
    ...health,
    previousSecretUntil,
    hold: currentHold(endpoint, now),
  };
}

export type { Proposal };

/** The audit actions in an endpoint's history. Test webhooks and receiver checks are not included: they have their own list. */
const HISTORY_ACTIONS = [
  'webhook.set',
  'webhook.proposed',
  'webhook.proposal_withdrawn',
  'webhook.proposal_refused',
  'webhook.paused',
  'webhook.resumed',
  'webhook.disabled',
  'webhook.failing',
  'webhook.secret_rotated',
  'webhook.secret_shown',
  'webhook.overlap_ended',
] as const;
const entriesSchema = z.array(
  z.object({
    id: z.string(),
    action: z.enum(HISTORY_ACTIONS),
    /** `user:<email>`, `operator:<login>`, `system:worker`. */
    actor: z.string(),
    at: z.date(),
    data: z.record(z.string(), z.unknown()),
  }),
);
export type HistoryEntry = Readonly<z.infer<typeof entriesSchema>[number]>;
export type HistoryAction = HistoryEntry['action'];

const HISTORY_SHOWN = 30;

interface EndpointPage extends ShownEndpoint {
  /** The last address that was proposed to the operator. Null if there is none. */
  readonly proposal: Proposal | null;
  /** The endpoint's audit entries, newest first. */
  readonly history: readonly HistoryEntry[];
}

/** Returns a merchant's endpoint with its health and history; undefined if the role may not see it. */
export async function showEndpointPage(runtime: ReadRuntime, access: Access): Promise<EndpointPage | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const { db } = runtime;
  const { merchantId, environment } = access.scope;
  const [endpoint, proposal, { id }] = await Promise.all([
    showEndpoint(runtime, access.scope),
    findProposal(db, access.scope),
    db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { merchantId_environment: { merchantId, environment } }, select: { id: true } }),
  ]);
  const entries = await db.prisma.auditEntry.findMany({
    where: { merchantId, environment, subject: id, action: { in: [...HISTORY_ACTIONS] } },
    select: { id: true, action: true, actor: true, at: true, data: true },
    orderBy: { id: 'desc' },
    take: HISTORY_SHOWN,
  });
  return { ...endpoint, proposal, history: entriesSchema.parse(entries) };
}
