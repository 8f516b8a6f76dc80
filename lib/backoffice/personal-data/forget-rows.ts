import type { Secrets } from '@/lib/platform/config/secrets';
import { pseudonymOf } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { array, neverNull, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';

type Rows = { readonly ids: readonly string[] };
const IDS = { ids: array(uuid) };

/** Returns the pseudonym of a number in national form. The same number always gets the same one. */
export function pseudonymOfNumber(secrets: Pick<Secrets, 'token'>, mobile: string): string {
  return pseudonymOf(secrets.token('pseudonym', `mobile ${mobile}`));
}

/** The tables in which numbers become pseudonyms. In the others they are emptied, because nothing counts by them there. */
const NUMBERED = ['push_attempt', 'payment'] as const;
type Numbered = (typeof NUMBERED)[number];

const listNumbers = (table: Numbered) =>
  variant({
    name: `list the numbers of ${table}`,
    text: `SELECT id, mobile FROM ${table} WHERE id = ANY($ids) AND mobile NOT LIKE 'erased:%' ORDER BY id FOR NO KEY UPDATE`,
    parameters: IDS,
    columns: { id: uuid, mobile: neverNull(text) },
  });
const replaceNumbers = (table: Numbered) =>
  variant({
    name: `replace the numbers of ${table}`,
    text: `UPDATE ${table} t SET mobile = p.pseudonym FROM unnest($ids::uuid[], $pseudonyms::text[]) AS p (id, pseudonym) WHERE t.id = p.id`,
    parameters: { ...IDS, pseudonyms: array(text) },
  });
const NUMBERS = {
  push_attempt: { list: listNumbers('push_attempt'), replace: replaceNumbers('push_attempt') },
  payment: { list: listNumbers('payment'), replace: replaceNumbers('payment') },
};
registerVariants(NUMBERED.flatMap((table) => [NUMBERS[table].list, NUMBERS[table].replace]));

async function pseudonymise(tx: Queryable, secrets: Pick<Secrets, 'token'>, table: Numbered, { ids }: Rows): Promise<void> {
  const rows = await NUMBERS[table].list.rows(tx, { ids });
  if (rows.length === 0) return;
  const pseudonyms = rows.map(({ mobile }) => pseudonymOfNumber(secrets, mobile));
  await NUMBERS[table].replace.rows(tx, { ids: rows.map(({ id }) => id), pseudonyms });
}

const EMPTY_BILLS = statement({
  name: 'empty bills',
  text: `UPDATE bill SET mobile = NULL, customer_name = NULL, customer_email = NULL, description = NULL, metadata = NULL, return_url = NULL
         WHERE id = ANY($ids) AND num_nonnulls(mobile, customer_name, customer_email, description, metadata, return_url) > 0`,
  parameters: IDS,
});
const EMPTY_NOTES_OF_BILLS = statement({
  name: 'empty the notes of bills',
  text: "UPDATE bill_note SET text = '' WHERE bill_id = ANY($ids) AND text <> ''",
  parameters: IDS,
});
const EMPTY_NOTES = statement({
  name: 'empty notes',
  text: "UPDATE bill_note SET text = '' WHERE id = ANY($ids) AND text <> ''",
  parameters: IDS,
});
const LIST_PAID_BILLS = statement({
  name: 'list the bills of payments',
  text: `SELECT DISTINCT l.bill_id AS id FROM payment_allocation l WHERE l.payment_id = ANY($ids)
           AND NOT EXISTS (SELECT 1 FROM push_attempt a WHERE a.bill_id = l.bill_id AND a.state = 'UNKNOWN')`,
  parameters: IDS,
  columns: { id: uuid },
});
// The bill is still found by its id, its reference, its payments and its receipts, which have indexes of their own.
const DELETE_SEARCH_ENTRIES = statement({
  name: 'delete search entries',
  text: 'DELETE FROM search_entry WHERE id = ANY($ids)',
  parameters: IDS,
});

/** Empties the customer's data of bills, and their notes. */
export async function forgetBills(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_BILLS.rows(tx, { ids });
  await EMPTY_NOTES_OF_BILLS.rows(tx, { ids });
  await DELETE_SEARCH_ENTRIES.rows(tx, { ids });
}

/** Empties the bills of old payments, which are older, except those with an attempt without a result. A payment that comes late writes its number into a bill that was empty. */
export async function forgetPaidBills(tx: Queryable, payments: readonly string[]): Promise<void> {
  const bills = await LIST_PAID_BILLS.rows(tx, { ids: payments });
  await forgetBills(
    tx,
    bills.map(({ id }) => id),
  );
}

/** Empties notes. */
export async function forgetNotes(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_NOTES.rows(tx, { ids });
}

/** Replaces the numbers of attempts by pseudonyms. */
export async function forgetAttempts(tx: Queryable, secrets: Pick<Secrets, 'token'>, ids: readonly string[]): Promise<void> {
  await pseudonymise(tx, secrets, 'push_attempt', { ids });
  await DELETE_SEARCH_ENTRIES.rows(tx, { ids });
}

const DELETE_ALLOCATION_ENTRIES = statement({
  name: 'delete the search entries of payments',
  text: 'DELETE FROM search_entry WHERE id IN (SELECT id FROM payment_allocation WHERE payment_id = ANY($ids))',
  parameters: IDS,
});
const EMPTY_LINES_OF_PAYMENTS = statement({
  name: 'empty the lines of statements about payments',
  text: 'UPDATE reconciliation_line SET raw = NULL WHERE payment_id = ANY($ids) AND raw IS NOT NULL',
  parameters: IDS,
});

/** Replaces the numbers of payments by pseudonyms, and empties what statements said about them. */
export async function forgetPayments(tx: Queryable, secrets: Pick<Secrets, 'token'>, ids: readonly string[]): Promise<void> {
  await pseudonymise(tx, secrets, 'payment', { ids });
  await EMPTY_LINES_OF_PAYMENTS.rows(tx, { ids });
  await DELETE_ALLOCATION_ENTRIES.rows(tx, { ids });
}

const EMPTY_LINES = statement({
  name: 'empty the lines of statements',
  text: 'UPDATE reconciliation_line SET raw = NULL WHERE reconciliation_id = ANY($ids) AND raw IS NOT NULL',
  parameters: IDS,
});
const EMPTY_FILE_NAMES = statement({
  name: 'empty the names of statements',
  text: "UPDATE reconciliation SET file_name = '' WHERE id = ANY($ids)",
  parameters: IDS,
});

export async function forgetStatements(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_LINES.rows(tx, { ids });
  await EMPTY_FILE_NAMES.rows(tx, { ids });
}

const EMPTY_ROWS = statement({
  name: 'empty imported rows',
  text: `UPDATE bill_import_row SET mobile = NULL, customer_name = NULL, description = NULL, problems = '[]'
         WHERE import_id = ANY($ids)`,
  parameters: IDS,
});
const EMPTY_IMPORTS = statement({
  name: 'empty imports',
  text: "UPDATE bill_import SET file_name = '' WHERE id = ANY($ids)",
  parameters: IDS,
});

export async function forgetImports(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_ROWS.rows(tx, { ids });
  await EMPTY_IMPORTS.rows(tx, { ids });
}

const EMPTY_MESSAGES = statement({
  name: 'empty provider messages',
  text: "UPDATE provider_message SET headers = '{}', body = '' WHERE id = ANY($ids) AND handled_at IS NOT NULL",
  parameters: IDS,
});

/** Empties messages of providers, except those that are not applied yet. */
export async function forgetMessages(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_MESSAGES.rows(tx, { ids });
}

const EMPTY_DELIVERIES = statement({
  name: 'remove numbers from webhooks',
  text: `UPDATE webhook_delivery
         SET body = convert_to(regexp_replace(convert_from(body, 'UTF8'), '"mobile":"[^"]*"', '"mobile":null', 'g'), 'UTF8')
         WHERE id = ANY($ids) AND position('"mobile":"'::bytea IN body) > 0`,
  parameters: IDS,
});

/** Removes the numbers from webhooks. Each stays a valid webhook about a bill without a number, so that it can still be delivered. */
export async function forgetDeliveries(tx: Queryable, ids: readonly string[]): Promise<void> {
  await EMPTY_DELIVERIES.rows(tx, { ids });
}
