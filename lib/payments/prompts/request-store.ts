import type { Bill } from '@/lib/bills/rules';
import type { Queryable } from '@/lib/db/database';
import { environment, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { ATTEMPT_COLUMNS, SELECTED_ATTEMPT } from '@/lib/payments/attempt-columns';
import { attemptSource } from '@/lib/payments/sql-types';

/** An attempt with its source, and the id of the form that requested it. */
export type BillAttempt = Awaited<ReturnType<typeof listBillAttempts>>[number];

const LIST_BILL_ATTEMPTS = statement({
  name: 'list-bill-attempts',
  prepared: true,
  text: `SELECT ${SELECTED_ATTEMPT}, a.source, a.form_id AS "formId" FROM push_attempt a WHERE a.bill_id = $billId ORDER BY a.id`,
  parameters: { billId: uuid },
  columns: { ...ATTEMPT_COLUMNS, source: attemptSource, formId: nullable(text) },
});

/** Returns the attempts of a bill with their sources, oldest first. */
export async function listBillAttempts(tx: Queryable, billId: string) {
  return LIST_BILL_ATTEMPTS.rows(tx, { billId });
}

const FIND_CHOSEN_NETWORK = statement({
  name: 'find the network that a customer chose',
  text: `SELECT data->>'chosenNetwork' AS network FROM bill_event
         WHERE bill_id = $billId AND type = 'attempt.queued' AND data->>'attempt' = $id::text`,
  parameters: { id: text, billId: uuid },
  columns: { network: nullable(text) },
});

/** Returns the network that the customer chose for an attempt; undefined if the number's prefix decided. */
export async function findChosenNetwork(
  db: Queryable,
  attempt: { readonly id: string; readonly billId: string },
): Promise<string | undefined> {
  return (await FIND_CHOSEN_NETWORK.first(db, attempt))?.network ?? undefined;
}

const INSERT_ATTEMPT = statement({
  name: 'queue a prompt',
  text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, form_id, mobile, network, amount, our_reference, state, due_at, created_at)
         VALUES ($id, $merchantId, $environment, $billId, $source, $formId, $mobile, $network, $amount, $ourReference, 'QUEUED', $now, $now)`,
  parameters: {
    id: uuid,
    merchantId: uuid,
    environment,
    billId: uuid,
    source: attemptSource,
    formId: nullable(text),
    mobile: text,
    network: text,
    amount: int8,
    ourReference: text,
    now: timestamptz,
  },
  columns: {},
});

type NewAttempt = Omit<Parameters<typeof INSERT_ATTEMPT.rows>[1], 'merchantId' | 'environment' | 'billId'> & {
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
};

/** Inserts an attempt in QUEUED. The caller has locked the bill. */
export async function insertAttempt(tx: Queryable, { bill, ...attempt }: NewAttempt): Promise<void> {
  const { merchantId, environment } = bill;
  await INSERT_ATTEMPT.rows(tx, { ...attempt, merchantId, environment, billId: bill.id });
}
