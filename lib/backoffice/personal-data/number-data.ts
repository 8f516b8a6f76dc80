import { type Mobile, toInternational } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { array, jsonb, neverNull, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';

/** The ids of the rows that belong to a number, over all merchants and both environments. */
export interface NumberRows {
  readonly bills: readonly string[];
  readonly attempts: readonly string[];
  readonly payments: readonly string[];
  /** What providers said about the attempts, the payments and their refunds. */
  readonly messages: readonly string[];
}

const FIND_BILLS = statement({
  name: 'find the bills of a number',
  text: `SELECT b.id FROM merchant_profile p
         CROSS JOIN LATERAL (SELECT id FROM bill WHERE merchant_id = p.merchant_id AND environment = p.environment AND mobile = $mobile) b
         ORDER BY b.id`,
  parameters: { mobile: text },
  columns: { id: uuid },
});
const FIND_ATTEMPTS = statement({
  name: 'find the attempts of a number',
  text: 'SELECT id FROM push_attempt WHERE environment = ANY(enum_range(NULL::environment)) AND mobile = $mobile ORDER BY id',
  parameters: { mobile: text },
  columns: { id: uuid },
});
// Payments have no index on numbers, because writing one would cost each payment. Those of prompts are found by their attempts. The others are
// found by reading the partial index of payments without an attempt.
const FIND_PAYMENTS = statement({
  name: 'find the payments of a number',
  text: `WITH found AS (
           SELECT id FROM payment WHERE attempt_id = ANY($attempts) AND mobile = $mobile
           UNION SELECT id FROM payment WHERE attempt_id IS NULL AND kind = 'payment' AND mobile = $mobile
         )
         SELECT id FROM found
         UNION SELECT r.id FROM found f JOIN payment r ON r.reverses_id = f.id AND r.mobile = $mobile
         UNION SELECT c.id FROM found f JOIN payment_correction l ON l.payment_id = f.id JOIN payment c ON c.id = l.id AND c.mobile = $mobile
         ORDER BY id`,
  parameters: { attempts: array(uuid), mobile: text },
  columns: { id: neverNull(uuid) },
});

const FIND_MESSAGES = statement({
  name: 'find the provider messages of a number',
  text: `SELECT id FROM provider_message WHERE attempt_id = ANY($attempts)
         UNION SELECT m.id FROM payment p JOIN provider_message m ON m.instrument_id = p.instrument_id WHERE p.id = ANY($payments)
         UNION SELECT m.id FROM refund r JOIN provider_message m ON m.reversal_request_id = r.id WHERE r.payment_id = ANY($payments)
         ORDER BY id`,
  parameters: { attempts: array(uuid), payments: array(uuid) },
  columns: { id: neverNull(uuid) },
});

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Finds the rows of a number. */
export async function findNumberRows(db: Queryable, mobile: Mobile): Promise<NumberRows> {
  const bills = idsOf(await FIND_BILLS.rows(db, { mobile }));
  const attempts = idsOf(await FIND_ATTEMPTS.rows(db, { mobile }));
  const payments = idsOf(await FIND_PAYMENTS.rows(db, { attempts, mobile }));
  return { bills, attempts, payments, messages: idsOf(await FIND_MESSAGES.rows(db, { attempts, payments })) };
}

const INTERNATIONAL_TOO = 't.mobile IN ($mobile, $international)';

/** The tables with rows about a number, and which rows: `t` is the table. */
const HELD = [
  { table: 'bill', rows: 't.id = ANY($bills)' },
  { table: 'bill_note', rows: 't.bill_id = ANY($bills)' },
  { table: 'bill_import_row', rows: 't.mobile = $mobile' },
  { table: 'webhook_delivery', rows: 't.bill_id = ANY($bills)' },
  { table: 'push_attempt', rows: 't.id = ANY($attempts)' },
  { table: 'payment', rows: 't.id = ANY($payments)' },
  { table: 'reconciliation_line', rows: 't.payment_id = ANY($payments)' },
  { table: 'refund', rows: 't.payment_id = ANY($payments)' },
  { table: 'provider_message', rows: 't.id = ANY($messages)' },
  { table: 'prompt_refusal', rows: 't.mobile = $mobile' },
  { table: 'user', rows: 't.mobile = $mobile' },
  { table: 'invitation', rows: 't.mobile = $mobile' },
  { table: 'merchant', rows: 't.support_number = $mobile' },
  { table: 'audit_entry', rows: "t.data->>'mobile' = $mobile" },
  { table: 'sandbox_prompt', rows: INTERNATIONAL_TOO },
  { table: 'sandbox_refund', rows: INTERNATIONAL_TOO },
  { table: 'sandbox_ring', rows: INTERNATIONAL_TOO },
  { table: 'sandbox_phone', rows: INTERNATIONAL_TOO },
  { table: 'sandbox_instrument_payment', rows: INTERNATIONAL_TOO },
] as const;

const PARAMETERS = {
  mobile: text,
  international: text,
  bills: array(uuid),
  attempts: array(uuid),
  payments: array(uuid),
  messages: array(uuid),
};
/** Secrets, which are about no person. Their hashes are of no use to the person. */
const SECRETS = "'{password_hash,token_hash,logo}'::text[]";

const READ_HELD = HELD.map(({ table, rows }) => ({
  table,
  read: variant({
    name: `read what ${table} has about a number`,
    text: `SELECT to_jsonb(t) - ${SECRETS} AS row FROM "${table}" t
           WHERE ${rows} AND num_nulls($mobile::text, $international::text, $bills::uuid[], $attempts::uuid[], $payments::uuid[], $messages::uuid[]) = 0`,
    parameters: PARAMETERS,
    columns: { row: neverNull(jsonb) },
  }),
}));
registerVariants(READ_HELD.map(({ read }) => read));

/** Reads everything that is stored about a number, by table. Tables without a row are missing. Bytes are read as text. */
export async function readNumberData(db: Queryable, mobile: Mobile): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const parameters = { mobile, international: toInternational(mobile), ...(await findNumberRows(db, mobile)) };
  const found: Record<string, readonly unknown[]> = {};
  for (const { table, read } of READ_HELD) {
    const rows = await read.rows(db, parameters);
    if (rows.length > 0) found[table] = rows.map(({ row }) => decodeBytes(row));
  }
  return found;
}

/** PostgreSQL writes bytes in JSON as `\x` and hexadecimal digits. */
function decodeBytes(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\\x([\da-f]{2})*$/.test(value) ? Buffer.from(value.slice(2), 'hex').toString('utf8') : value,
    ]),
  );
}
