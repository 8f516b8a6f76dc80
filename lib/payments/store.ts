import { columnsOf } from '@/lib/core/columns-of';
import type { Database, Queryable } from '@/lib/db/database';
import { array, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import { sharedQueue } from '@/lib/queues/shared-queue';
import { ATTEMPT_COLUMNS, SELECTED_ATTEMPT } from './attempt-columns';
import type { Attempt } from './rules';

const WANTED = { accountId: array(uuid), reference: array(text) };
const findBy = (column: 'our_reference' | 'provider_reference') => {
  const FIND_BY_REFERENCE = statement({
    name: `find-attempts-by-${column}`,
    prepared: true,
    text: `SELECT w.account_id AS "accountId", w.reference AS "wantedReference", found.*
           FROM ${unnestFew('$accountId::uuid[]', '$reference::text[]')} AS w(account_id, reference) JOIN LATERAL (
             SELECT ${SELECTED_ATTEMPT} FROM push_attempt a JOIN provider_account c ON c.id = a.provider_account_id
             WHERE a.${column} = w.reference AND c.till_id = (SELECT till_id FROM provider_account WHERE id = w.account_id)
             ORDER BY a.id DESC LIMIT 1) found ON true`,
    parameters: WANTED,
    columns: { accountId: nullable(uuid), wantedReference: nullable(text), ...ATTEMPT_COLUMNS },
  });
  return sharedQueue<Wanted, Attempt | null>({
    runBatch: findAll,
    runAlone: async (db, wanted) => (await findAll(db, [wanted]))[0] ?? null,
  });

  async function findAll(db: Database, wanted: readonly Wanted[]): Promise<(Attempt | null)[]> {
    const rows = await FIND_BY_REFERENCE.rows(db, columnsOf(wanted, WANTED));
    const found = new Map(rows.map(({ accountId, wantedReference, ...attempt }) => [`${accountId} ${wantedReference}`, attempt]));
    return wanted.map(({ accountId, reference }) => found.get(`${accountId} ${reference}`) ?? null);
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
  parameters: { reference: text, accountId: uuid },
  columns: { ...ATTEMPT_COLUMNS, leftAccountId: uuid },
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
  parameters: { id: uuid },
  columns: ATTEMPT_COLUMNS,
});

export async function findAttempt(db: Queryable, id: string): Promise<Attempt | undefined> {
  return FIND_ATTEMPT.first(db, { id });
}

const LOCK_ATTEMPT = statement({
  name: 'lock-attempt',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT} FROM push_attempt a WHERE a.id = $id FOR UPDATE`,
  parameters: { id: uuid },
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
  parameters: { ids: array(uuid), messageIds: array(uuid), now: timestamptz },
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
  parameters: { billId: uuid },
  columns: ATTEMPT_COLUMNS,
});

/** Returns the attempts of a bill, oldest first. */
export async function listAttempts(db: Queryable, billId: string): Promise<Attempt[]> {
  return LIST_ATTEMPTS.rows(db, { billId });
}
