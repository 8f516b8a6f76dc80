import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { bill, instrument, merchantProfile, providerAccount } from '@/lib/platform/db/generated/tables';
import { array, boolean, int4, int8, nullable, pick, select, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import { ACCOUNT_COLUMNS, type StoredAccount } from '@/lib/providers/accounts/account-store';
import { INSTRUMENT_TRANSITIONS, type Instrument, type InstrumentMove, type InstrumentState } from './rules';

const COLUMNS = pick(
  instrument,
  `id merchantId environment billId providerAccountId kind amount ourReference providerReference state number qr link endReason failureReason
   sendCount queryCount cancelRefused leaseToken createdAt sentAt expiresAt endedAt closedAt`,
);
const SELECTED = select(COLUMNS, 'i.');

const NEW_INSTRUMENT = pick(
  instrument,
  'id merchantId environment billId providerAccountId kind amount ourReference state dueAt createdAt',
);
const INSERT_INSTRUMENT = statement({
  name: 'insert an instrument',
  text: `${insertRow('instrument', NEW_INSTRUMENT)} ON CONFLICT (bill_id, provider_account_id, kind) WHERE state <> 'ENDED' DO NOTHING
         RETURNING 1 AS inserted`,
  parameters: NEW_INSTRUMENT,
  columns: { inserted: int4 },
});

type NewInstrument = Omit<Parameters<typeof INSERT_INSTRUMENT.rows>[1], 'state' | 'dueAt'>;

/** Inserts an instrument that a worker then issues. Returns false if the bill has an open one of this account and kind. */
export async function insertInstrument(tx: Queryable, row: NewInstrument): Promise<boolean> {
  return (await INSERT_INSTRUMENT.rows(tx, { ...row, state: 'ASKED', dueAt: row.createdAt })).length > 0;
}

const LIST_OF_BILL = statement({
  name: 'list-instruments',
  prepared: true,
  text: `SELECT ${SELECTED}, a.provider FROM instrument i JOIN provider_account a ON a.id = i.provider_account_id
         WHERE i.bill_id = $billId ORDER BY i.id`,
  parameters: { billId: instrument.billId },
  columns: { ...COLUMNS, provider: providerAccount.provider },
});

/** An instrument, with the provider that issues it. */
export type ListedInstrument = Instrument & { readonly provider: string };

/** Returns all instruments of a bill, also ended ones, the oldest first. */
export async function listInstruments(db: Queryable, billId: string): Promise<ListedInstrument[]> {
  return LIST_OF_BILL.rows(db, { billId });
}

const LIST_ACTIVE = statement({
  name: 'list the active instruments of bills',
  text: `SELECT ${SELECTED}, a.provider FROM instrument i JOIN provider_account a ON a.id = i.provider_account_id
         WHERE i.bill_id = ANY ($billIds::uuid[]) AND i.state = 'ACTIVE' ORDER BY i.id`,
  parameters: { billIds: array(uuid) },
  columns: { ...COLUMNS, provider: providerAccount.provider },
});

/** Returns the active instruments of several bills, the oldest first. */
export async function listActiveInstruments(db: Queryable, billIds: readonly string[]): Promise<ListedInstrument[]> {
  return LIST_ACTIVE.rows(db, { billIds });
}

const FIND_INSTRUMENT = statement({
  name: 'find an instrument',
  text: `SELECT ${SELECTED} FROM instrument i WHERE i.id = $id`,
  parameters: { id: instrument.id },
  columns: COLUMNS,
});

export async function findInstrument(db: Queryable, id: string): Promise<Instrument | undefined> {
  return FIND_INSTRUMENT.first(db, { id });
}

const FIND_NAMED = statement({
  name: 'find the instrument that a provider names',
  text: `SELECT ${SELECTED} FROM instrument i JOIN provider_account a ON a.id = i.provider_account_id
         WHERE a.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND (i.our_reference = $reference OR i.provider_reference = $providerReference OR i.number = $reference)
         ORDER BY i.our_reference = $reference DESC, i.id DESC LIMIT 1`,
  parameters: { accountId: uuid, reference: nullable(text), providerReference: nullable(text) },
  columns: COLUMNS,
});

interface Named {
  /** Our reference, or the issued number. */
  readonly reference: string | null;
  readonly providerReference: string | null;
}

/** Finds the instrument of any account of the same till that a message names; undefined if it names none. */
export async function findNamedInstrument(db: Queryable, accountId: string, named: Named): Promise<Instrument | undefined> {
  if (named.reference === null && named.providerReference === null) return undefined;
  return FIND_NAMED.first(db, { accountId, ...named });
}

const MAKE_DUE = statement({
  name: 'make a status query of an instrument due',
  text: `UPDATE instrument SET due_at = least(due_at, $now), hinted = true WHERE id = $id AND state <> 'ASKED'`,
  parameters: { id: instrument.id, now: timestamptz },
});

/** Makes the next step of an instrument due now, for example because an unsigned callback says that it was paid. It may have ended long ago. */
export async function makeInstrumentDue(db: Queryable, id: string, now: Date): Promise<void> {
  await MAKE_DUE.rows(db, { id, now });
}

const CLAIM = statement({
  name: 'claim-instruments',
  prepared: true,
  text: `
WITH due AS (
  SELECT id, state FROM instrument WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)
  ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE instrument i SET
  lease_until = $leaseUntil,
  lease_token = i.lease_token + 1,
  hinted = false,
  state = CASE WHEN due.state = 'ASKED' THEN 'SENDING'::instrument_state ELSE i.state END,
  send_count = i.send_count + (due.state = 'ASKED')::int,
  query_count = i.query_count + (due.state NOT IN ('ASKED', 'SENDING'))::int,
  sent_at = CASE WHEN due.state = 'ASKED' THEN $now ELSE i.sent_at END
FROM due WHERE i.id = due.id
RETURNING ${SELECTED}, due.state AS "previousState"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8 },
  columns: {
    ...COLUMNS,
    /** The state before the claim. An ASKED instrument is now SENDING. */
    previousState: instrument.state,
  },
});

export type ClaimedInstrument = Awaited<ReturnType<typeof claimInstruments>>[number];

/** Claims due instruments for a worker. SENDING is committed before any call to a provider. */
export async function claimInstruments(db: Queryable, { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number }) {
  return CLAIM.rows(db, { now, leaseUntil, limit: BigInt(limit) });
}

type Lease = Pick<Instrument, 'id' | 'leaseToken'>;

/** Extends the lease of an instrument. Returns false if another worker has it. @param state the state that it must have; any by default. */
export async function extendLease({ prisma }: Connection, { id, leaseToken }: Lease, leaseUntil: Date, state?: InstrumentState) {
  const { count } = await prisma.instrument.updateMany({ where: { id, leaseToken, ...(state && { state }) }, data: { leaseUntil } });
  return count > 0;
}

const MOVED = {
  ...pick(instrument, 'id leaseToken state number qr link providerReference expiresAt issuedAt endReason endedAt failureReason closedAt'),
  from: instrument.state,
  dueAt: nullable(timestamptz),
  cancelRefused: boolean,
  restart: boolean,
  amount: nullable(int8),
  now: timestamptz,
};
const MOVE = statement({
  name: 'move-instrument',
  prepared: true,
  text: `UPDATE instrument SET state = $state, lease_until = NULL, hinted = false,
           due_at = CASE WHEN hinted AND $failureReason::text IS NULL THEN $now::timestamptz ELSE $dueAt::timestamptz END,
           number = coalesce($number, number), qr = coalesce($qr, qr), link = coalesce($link, link),
           provider_reference = coalesce($providerReference, provider_reference), expires_at = coalesce($expiresAt, expires_at),
           issued_at = coalesce(issued_at, $issuedAt), end_reason = coalesce(end_reason, $endReason), ended_at = coalesce(ended_at, $endedAt),
           failure_reason = coalesce(failure_reason, $failureReason), closed_at = coalesce(closed_at, $closedAt),
           cancel_refused = cancel_refused OR $cancelRefused, query_count = CASE WHEN $restart THEN 0 ELSE query_count END,
           amount = coalesce($amount, amount)
         WHERE id = $id AND lease_token = $leaseToken AND state = $from RETURNING 1 AS ours`,
  parameters: MOVED,
  columns: { ours: int4 },
});

interface Change extends InstrumentMove {
  readonly now: Date;
  readonly cancelRefused?: boolean;
  /** The new amount, senti. */
  readonly amount?: Senti;
}

/**
 * Changes an instrument under the lease of a worker, and gives the lease back. Returns false if another worker has it. If the bill changed
 * or a message came meanwhile, the next step is due at once.
 */
export async function moveInstrument(
  db: Queryable,
  { id, leaseToken, state: from }: Lease & Pick<Instrument, 'state'>,
  change: Change,
): Promise<boolean> {
  if (change.state !== from && !INSTRUMENT_TRANSITIONS[from].includes(change.state))
    throw new Error(`instrument ${id} cannot become ${change.state} from ${from}`);
  const { state, dueAt, now, issued, end, failureReason, closed = false, cancelRefused = false, amount } = change;
  const { number = null, qr = null, link = null } = issued?.ways ?? {};
  const moved = await MOVE.rows(db, {
    ...{ id, leaseToken, from, state, dueAt, now, number, qr, link, cancelRefused },
    providerReference: issued?.providerReference ?? null,
    expiresAt: issued?.expiresAt ?? null,
    issuedAt: issued ? now : null,
    endReason: end ?? null,
    endedAt: end ? now : null,
    failureReason: failureReason ?? null,
    closedAt: closed ? now : null,
    restart: issued !== undefined || end !== undefined,
    amount: amount ?? null,
  });
  return moved.length > 0;
}

const READ_BILL = statement({
  name: 'read the bill of an instrument',
  text: `SELECT b.id, b.merchant_id AS "merchantId", b.environment, b.reference, b.description, b.amount, b.paid_amount AS "paidAmount",
           b.reserved_amount AS "reservedAmount", b.closed_at AS "closedAt", b.expires_at AS "expiresAt", p.status = 'active' AS "merchantActive"
         FROM bill b JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment WHERE b.id = $id`,
  parameters: { id: bill.id },
  columns: {
    ...pick(bill, 'id merchantId environment reference description amount paidAmount reservedAmount closedAt expiresAt'),
    merchantActive: boolean,
  },
});

/** Returns what decides about the instruments of a bill. */
export async function readInstrumentBill(db: Queryable, id: string) {
  const found = await READ_BILL.first(db, { id });
  if (!found) throw new Error(`bill ${id} does not exist`);
  return found;
}

const LIST_ACCOUNTS = statement({
  name: 'list the accounts that may issue instruments',
  text: `SELECT id, environment, provider, coalesce(networks, '{}') AS networks, encrypted_credentials AS "encryptedCredentials"
         FROM provider_account p
         WHERE environment = $environment AND (merchant_id = $merchantId::uuid OR merchant_id IS NULL) AND disabled_at IS NULL
           AND NOT coalesce(avoid_until > $now, false)
         ORDER BY merchant_id NULLS LAST, (SELECT min(r.position) FROM provider_route r WHERE r.account_id = p.id) NULLS LAST, created_at`,
  parameters: { ...pick(merchantProfile, 'environment'), merchantId: uuid, now: timestamptz },
  columns: ACCOUNT_COLUMNS,
});

/** Returns the active accounts of a merchant and of the operator, in the order in which they are tried. */
export async function listIssuingAccounts(db: Queryable, { merchantId, environment }: Scope, now: Date): Promise<StoredAccount[]> {
  return LIST_ACCOUNTS.rows(db, { merchantId, environment, now });
}
