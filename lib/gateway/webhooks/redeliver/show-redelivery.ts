import { type Access, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { countOutcomes, listRedeliveries, type Outcomes, type Redelivery } from './redelivery-store';

const LISTED = 100;

/** A bulk redelivery with its results so far. */
export interface RedeliveryProgress extends Omit<Redelivery, 'cursor'>, Outcomes {
  /** Deliveries that the bulk redelivery made due and that were then returned to their earlier state, or sent again by somebody else. */
  readonly leftOut: number;
}

type Needs = Pick<Runtime, 'db'>;

/** Returns a merchant's bulk redelivery; undefined if it does not exist, or the role may not see it. */
export async function showRedelivery({ db }: Needs, access: Access, id: string): Promise<RedeliveryProgress | undefined> {
  const { scope } = access;
  const [progress] =
    isUuid(id) && may(access, 'webhooks.view') ? await withOutcomes({ db }, await listRedeliveries(db, scope, { id, limit: 1 })) : [];
  return progress;
}

/** Returns a merchant's newest bulk redeliveries; none if the role may not see them. */
export async function showRedeliveries({ db }: Needs, access: Access): Promise<RedeliveryProgress[]> {
  const { scope } = access;
  if (!may(access, 'webhooks.view')) return [];
  return withOutcomes({ db }, await listRedeliveries(db, scope, { id: null, limit: LISTED }));
}

async function withOutcomes({ db }: Needs, runs: readonly Redelivery[]): Promise<RedeliveryProgress[]> {
  const ids = runs.map(({ id }) => id);
  const outcomes = await countOutcomes(db, ids);
  return runs.map(({ cursor, ...run }) => {
    const { delivered, waiting, failed } = outcomes.get(run.id) ?? { delivered: 0, waiting: 0, failed: 0 };
    return { ...run, delivered, waiting, failed, leftOut: run.started - delivered - waiting - failed };
  });
}
