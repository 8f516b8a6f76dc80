import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { providerAccount, providerMessage, pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, arrays, boolean, nullable, pick, select, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import type { Attempt, Decision } from './rules';

export const ATTEMPT_COLUMNS = pick(
  pushAttempt,
  `id merchantId environment billId providerAccountId mobile network amount ourReference providerReference state
    failureReason sendCount queryCount leaseToken createdAt sentAt unknownSince releasedAt settledAt
    acknowledgedAt answerLostAt claimedPaidAt refusedAccountIds`,
);
/** The SQL that selects an `Attempt`. The query aliases `push_attempt` as `a`. */
export const SELECTED_ATTEMPT = select(ATTEMPT_COLUMNS, 'a.');

const WANTED = { accountId: array(providerAccount.id), reference: array(pushAttempt.ourReference) };
const findBy = (column: 'our_reference' | 'provider_reference') => {
  const FIND_BY_REFERENCE = statement({
    name: `find-attempts-by-${column}`,
    prepared: true,
    text: `SELECT w.account_id AS "accountId", w.reference AS "wantedReference", newest.*
           FROM ${unnestFew(WANTED, 'w')} JOIN LATERAL (
             SELECT ${SELECTED_ATTEMPT} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
             WHERE a.${column} = w.reference AND c.till_id = (SELECT till_id FROM provider_account WHERE id = w.account_id)
             ORDER BY a.id DESC LIMIT 1) newest ON true`,
    parameters: WANTED,
    columns: { accountId: nullable(uuid), wantedReference: nullable(text), ...ATTEMPT_COLUMNS },
  });
  return sharedQueue<Wanted, Attempt | null>({
    runBatch: findAll,
    runAlone: async (db, wanted) => (await findAll(db, [wanted]))[0] ?? null,
  });

  async function findAll(db: Database, wanted: readonly Wanted[]): Promise<(Attempt | null)[]> {
    const rows = await FIND_BY_REFERENCE.rows(db, columnsOf(wanted, WANTED));
    const attempts = new Map(rows.map(({ accountId, wantedReference, ...attempt }) => [`${accountId} ${wantedReference}`, attempt]));
    return wanted.map(({ accountId, reference }) => attempts.get(`${accountId} ${reference}`) ?? null);
  }
};
const findByOurReference = findBy('our_reference');
const findByProviderReference = findBy('provider_reference');

/** A reference to look up (our reference or the provider's), and the account whose message contains it. */
interface Wanted {
  readonly accountId: string;
  readonly reference: string;
}

interface References {
  readonly reference: string | null;
  readonly providerReference: string | null;
}

/**
 * Finds an attempt that was sent through any account of the same till. If `reference` is not null, finds the attempt with this reference of
 * ours. Otherwise, finds the newest attempt with the provider's reference. Simultaneous searches share one statement.
 */
export async function findAttemptByReference(
  db: Database,
  accountId: string,
  { reference, providerReference }: References,
): Promise<Attempt | undefined> {
  if (reference !== null) return (await findByOurReference(db, accountId, { accountId, reference })) ?? undefined;
  if (providerReference === null) return undefined;
  return (await findByProviderReference(db, accountId, { accountId, reference: providerReference })) ?? undefined;
}

const FIND_LEFT = statement({
  name: 'find an attempt that has left an account',
  text: `SELECT ${SELECTED_ATTEMPT}, l.id AS "leftAccountId"
         FROM push_attempt a JOIN provider_account l ON l.id = ANY (a.refused_account_ids)
         WHERE a.our_reference = $reference AND l.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
         ORDER BY l.created_at DESC LIMIT 1`,
  parameters: { reference: pushAttempt.ourReference, accountId: providerAccount.id },
  columns: { ...ATTEMPT_COLUMNS, leftAccountId: providerAccount.id },
});

export interface LeftAttempt extends Attempt {
  /** The account that did not accept the attempt. */
  readonly leftAccountId: string;
}

/** Finds the attempt with this reference of ours if an account of the same till did not accept it, with that account. */
export async function findLeftAttempt(db: Queryable, accountId: string, reference: string): Promise<LeftAttempt | undefined> {
  return FIND_LEFT.first(db, { accountId, reference });
}

const FIND_ATTEMPT = statement({
  name: 'find-attempt',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = $id`,
  parameters: { id: pushAttempt.id },
  columns: ATTEMPT_COLUMNS,
});

export async function findAttempt(db: Queryable, id: string): Promise<Attempt | undefined> {
  return FIND_ATTEMPT.first(db, { id });
}

const LOCK_ATTEMPT = statement({
  name: 'lock-attempt',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = $id FOR UPDATE`,
  parameters: { id: pushAttempt.id },
  columns: ATTEMPT_COLUMNS,
});

export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt | undefined> {
  return LOCK_ATTEMPT.first(tx, { id });
}

const LOCK_ATTEMPTS = statement({
  name: 'lock-attempts-for-outcomes',
  prepared: true,
  text: `WITH handled AS (
           UPDATE provider_message SET handled_at = $now WHERE id = ANY ((SELECT $messageIds::uuid[])::uuid[]) AND handled_at IS NULL
         )
         SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = ANY ((SELECT $ids::uuid[])::uuid[]) ORDER BY a.id FOR UPDATE`,
  parameters: { ids: array(pushAttempt.id), messageIds: array(providerMessage.id), now: timestamptz },
  columns: ATTEMPT_COLUMNS,
});

/** Locks attempts, and marks the messages that this transaction applies to them as handled. Returns the attempts by id. */
export async function lockAttempts(
  tx: Queryable,
  wanted: { readonly ids: readonly string[]; readonly messageIds: readonly string[]; readonly now: Date },
): Promise<ReadonlyMap<string, Attempt>> {
  return new Map((await LOCK_ATTEMPTS.rows(tx, wanted)).map((attempt) => [attempt.id, attempt]));
}

const LIST_ATTEMPTS = statement({
  name: 'list-attempts',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.bill_id = $billId ORDER BY a.id`,
  parameters: { billId: pushAttempt.billId },
  columns: ATTEMPT_COLUMNS,
});

/** Returns the attempts of a bill, oldest first. */
export async function listAttempts(db: Queryable, billId: string): Promise<Attempt[]> {
  return LIST_ATTEMPTS.rows(db, { billId });
}

const MOVED = {
  ...arrays(pick(pushAttempt, 'id state failureReason providerReference dueAt')),
  next: array(pushAttempt.state),
  evidence: array(nullable(text)),
  leaves: array(boolean),
};
const MOVE_ATTEMPTS = statement({
  name: 'move-attempts',
  prepared: true,
  text: `UPDATE push_attempt a SET state = m.next, failure_reason = m.failure_reason, provider_reference = m.provider_reference,
           lease_until = NULL, call_token = NULL, lapsed_leases = 0,
           due_at = CASE WHEN a.hinted AND m.next IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $now ELSE m.due_at END,
           query_count = CASE WHEN m.next IN ('FAILED', 'EXPIRED') THEN 0 ELSE a.query_count END,
           settled_at = CASE WHEN m.next IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED') THEN $now::timestamptz END,
           unknown_since = CASE WHEN m.next = 'UNKNOWN' THEN $now::timestamptz END,
           acknowledged_at = coalesce(a.acknowledged_at, CASE WHEN m.evidence = 'acknowledged' THEN $now::timestamptz END),
           answer_lost_at = coalesce(a.answer_lost_at, CASE WHEN m.evidence = 'answer_lost' THEN $now::timestamptz END),
           refused_account_ids = CASE WHEN m.leaves THEN array_append(a.refused_account_ids, coalesce(a.provider_account_id, a.call_account_id)) ELSE a.refused_account_ids END,
           provider_account_id = CASE WHEN NOT m.leaves THEN a.provider_account_id END,
           call_account_id = CASE WHEN NOT m.leaves THEN a.call_account_id END,
           send_count = CASE WHEN m.leaves THEN 0 ELSE a.send_count END
         FROM ${unnestFew(MOVED, 'm')}
         WHERE a.id = m.id AND a.state = m.state RETURNING a.id`,
  parameters: { ...MOVED, now: timestamptz },
  columns: { id: pushAttempt.id },
});

/**
 * Applies decisions about different attempts by compare-and-set.
 * @returns the ids of the moved attempts. Attempts that are missing have left the state for which the decision was made.
 */
export async function moveAttempts(
  tx: Queryable,
  moves: readonly { readonly attempt: Pick<Attempt, 'id' | 'state'>; readonly decision: Decision }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = moves.map(({ attempt: { id, state }, decision }) => ({ ...decision, id, state, next: decision.state }));
  return new Set((await MOVE_ATTEMPTS.rows(tx, { ...columnsOf(rows, MOVED), now })).map(({ id }) => id));
}

const RESCHEDULE_ATTEMPT = statement({
  name: 'reschedule-attempt',
  prepared: true,
  text: `UPDATE push_attempt SET due_at = CASE WHEN hinted THEN $now ELSE $dueAt::timestamptz END, provider_reference = $providerReference,
           lease_until = NULL, call_token = NULL, lapsed_leases = 0
         WHERE id = $id AND state = $state AND lease_token = $leaseToken`,
  parameters: { ...pick(pushAttempt, 'id state leaseToken dueAt providerReference'), now: timestamptz },
});

/** Ends a lease and sets the next due time, unless another worker has claimed the attempt since. */
export async function rescheduleAttempt(
  tx: Queryable,
  { id, state }: Attempt,
  leaseToken: number,
  { dueAt, providerReference, now }: Pick<Decision, 'dueAt' | 'providerReference'> & { now: Date },
): Promise<void> {
  await RESCHEDULE_ATTEMPT.rows(tx, { id, state, leaseToken, dueAt, providerReference, now });
}

const QUERY_AGAIN = statement({
  name: 'make a status query of a settled attempt due',
  text: 'UPDATE push_attempt SET due_at = $now, query_count = 0 WHERE id = $id',
  parameters: { id: pushAttempt.id, now: timestamptz },
});

/** Makes a status query of a settled attempt due now. */
export async function queryAgain(tx: Queryable, id: string, now: Date): Promise<void> {
  await QUERY_AGAIN.rows(tx, { id, now });
}

const MARK_ACKNOWLEDGED = statement({
  name: 'record that the provider has an attempt',
  text: 'UPDATE push_attempt SET acknowledged_at = coalesce(acknowledged_at, $now) WHERE id = $id',
  parameters: { id: pushAttempt.id, now: timestamptz },
});

/** Records that the provider has an attempt's request. The caller has locked the attempt. */
export async function markAcknowledged(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_ACKNOWLEDGED.rows(tx, { id, now });
}

const MARK_RELEASED = statement({
  name: 'release the reservation of an attempt',
  text: 'UPDATE push_attempt SET released_at = $now WHERE id = $id',
  parameters: { id: pushAttempt.id, now: timestamptz },
});

/** Releases an attempt's reservation. The caller has locked the attempt. */
export async function markReleased(tx: Queryable, id: string, now: Date): Promise<void> {
  await MARK_RELEASED.rows(tx, { id, now });
}
