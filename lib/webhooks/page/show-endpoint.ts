import { type Access, may } from '@/lib/accounts/access/grant-access';
import type { Environment, Scope } from '@/lib/core/scope';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { type Endpoint, findEndpoint, listEndpoints } from '@/lib/webhooks/endpoint/endpoint-store';
import { findEndpointId, type HistoryAction, type HistoryEntry, listEndpointHistory } from '@/lib/webhooks/endpoint/history-store';
import { currentHold, type Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { findProposal, type Proposal } from '@/lib/webhooks/endpoint/proposal-store';
import { countUndelivered, type UndeliveredCounts } from '@/lib/webhooks/log/delivery-store';

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

export interface ShownEndpoint extends EndpointView {
  /** Deliveries that have not arrived, by state. */
  readonly undelivered: UndeliveredCounts;
  /** The number of undelivered deliveries that are waiting or being sent. */
  readonly waiting: number;
}

/** Returns a merchant's endpoint, its health and its undelivered deliveries. Throws if the merchant has no profile in the environment. */
export async function showEndpoint({ db, clock }: ReadRuntime, scope: Scope): Promise<ShownEndpoint> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  const undelivered = await countUndelivered(db, endpoint);
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

export type { HistoryAction, HistoryEntry, Proposal };

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
  const { scope } = access;
  const id = await findEndpointId(runtime.db, scope);
  const [endpoint, proposal, history] = await Promise.all([
    showEndpoint(runtime, scope),
    findProposal(runtime.db, scope),
    listEndpointHistory(runtime.db, scope, { endpointId: id, limit: HISTORY_SHOWN }),
  ]);
  return { ...endpoint, proposal, history };
}
