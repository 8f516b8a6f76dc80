import type { Environment, Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, findEndpoint, listEndpoints } from '@/lib/webhooks/endpoint/endpoint-store';
import { currentHold, type Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { countUndelivered, type UndeliveredCounts } from '@/lib/webhooks/log/delivery-store';

/** An endpoint as people see it: without its secrets, and without what only the claim needs. */
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
  /** What holds its deliveries up at this moment. */
  readonly heldUp: Hold | null;
  /** Calls at once that it gets by now. */
  readonly parallelism: number;
}

export interface ShownEndpoint extends EndpointView {
  /** What it has not got: on the way, or kept. */
  readonly undelivered: UndeliveredCounts;
  /** How many of these are on the way to it, or will be once it is called again. */
  readonly owed: number;
}

type Needs = Pick<Runtime, 'db' | 'clock'>;

/** @returns where a merchant's webhooks go, how that fares, and what it is owed. Throws when there is no such profile. */
export async function showEndpoint({ db, clock }: Needs, scope: Scope): Promise<ShownEndpoint> {
  const endpoint = await findEndpoint(db, scope);
  if (!endpoint) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
  const undelivered = await countUndelivered(db, endpoint);
  const { PENDING, SENDING, BLOCKED } = undelivered;
  return { ...viewOf(endpoint, clock()), undelivered, owed: PENDING + SENDING + BLOCKED };
}

/** @returns every endpoint that has an address, for the operator: those that are not well first. */
export async function showEndpoints(
  { db, clock }: Needs,
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
    heldUp: currentHold(endpoint, now),
  };
}
