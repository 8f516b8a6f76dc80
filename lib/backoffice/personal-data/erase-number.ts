import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Secrets } from '@/lib/platform/config/secrets';
import type { Actor } from '@/lib/platform/core/actor';
import { type Mobile, toInternational } from '@/lib/platform/core/mobile';
import type { Queryable } from '@/lib/platform/db/database';
import { array, int4, neverNull, text, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { forgetAttempts, forgetBills, forgetDeliveries, forgetMessages, forgetPayments, pseudonymOfNumber } from './forget-rows';
import { findNumberRows, type NumberRows, readNumberData } from './number-data';

type NumberRuntime = WriteRuntime & { readonly secrets: Pick<Secrets, 'token'> };

interface NumberOptions {
  readonly mobile: Mobile;
  /** The operator, with the reason. */
  readonly actor: Actor;
}

/** Returns everything that is stored about a number, by table, over all merchants and both environments. The audit log gets no number. */
export async function exportNumber(runtime: NumberRuntime, { mobile, actor }: NumberOptions) {
  const { db, secrets } = runtime;
  const pseudonym = pseudonymOfNumber(secrets, mobile);
  return db.sqlTransaction(
    async (tx) => {
      const tables = await readNumberData(tx, mobile);
      const rows = Object.fromEntries(Object.entries(tables).map(([table, found]) => [table, found.length]));
      const entry = { merchantId: null, environment: null, actor, action: 'number.exported', subject: pseudonym, data: { rows } };
      await recordEntry(runtime, entry, tx);
      return { mobile, pseudonym, tables };
    },
    { unlimited: true },
  );
}

const LOCK_BILLS = statement({
  name: 'lock the bills of a number',
  text: 'SELECT id FROM bill WHERE id = ANY($ids) ORDER BY id FOR UPDATE',
  parameters: { ids: array(uuid) },
  columns: { id: uuid },
});

// An attempt that has ended without a payment is queried for some days, because the money may come late. The query may need the number.
const OPEN_ATTEMPT = "(state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') OR due_at IS NOT NULL)";
const FIND_OPEN = statement({
  name: 'find the open payments of a number',
  text: `SELECT
           ARRAY(SELECT id FROM push_attempt WHERE id = ANY($attempts) AND ${OPEN_ATTEMPT}) AS attempts,
           ARRAY(SELECT p.attempt_id FROM refund r JOIN payment p ON p.id = r.payment_id
                 WHERE r.payment_id = ANY($payments) AND p.attempt_id IS NOT NULL AND r.state NOT IN ('DONE', 'FAILED')) AS refunded,
           ARRAY(SELECT bill_id FROM push_attempt WHERE (id = ANY($attempts) OR bill_id = ANY($bills)) AND ${OPEN_ATTEMPT}) AS bills,
           ARRAY(SELECT payment_id FROM refund WHERE payment_id = ANY($payments) AND state NOT IN ('DONE', 'FAILED')) AS payments,
           ARRAY(SELECT id FROM provider_message WHERE id = ANY($messages) AND handled_at IS NULL) AS messages`,
  parameters: { bills: array(uuid), attempts: array(uuid), payments: array(uuid), messages: array(uuid) },
  columns: {
    attempts: neverNull(array(uuid)),
    refunded: neverNull(array(uuid)),
    bills: neverNull(array(uuid)),
    payments: neverNull(array(uuid)),
    messages: neverNull(array(uuid)),
  },
});

const LIST_DELIVERIES = statement({
  name: 'list the webhooks of bills',
  text: 'SELECT id FROM webhook_delivery WHERE bill_id = ANY($bills)',
  parameters: { bills: array(uuid) },
  columns: { id: uuid },
});

const EMPTY_IMPORTED = statement({
  name: 'empty the imported rows of a number',
  text: `UPDATE bill_import_row SET mobile = NULL, customer_name = NULL, description = NULL, problems = '[]' WHERE mobile = $mobile`,
  parameters: { mobile: text },
});
const DELETE_LIFTED = statement({
  name: 'delete the lifted blocks of a number',
  text: "DELETE FROM prompt_refusal WHERE mobile = $mobile AND state = 'LIFTED'",
  parameters: { mobile: text },
});
const DELETE_TEST_PHONES = statement({
  name: 'delete the test phones of a number',
  text: 'DELETE FROM sandbox_phone WHERE mobile = $mobile',
  parameters: { mobile: text },
});
const TEST_DATA = ['sandbox_prompt', 'sandbox_refund', 'sandbox_ring', 'sandbox_instrument_payment'].map((table) =>
  variant({
    name: `erase a number from ${table}`,
    text: `UPDATE ${table} SET mobile = $pseudonym WHERE mobile IN ($mobile, $international)`,
    parameters: { pseudonym: text, mobile: text, international: text },
  }),
);
registerVariants(TEST_DATA);

const COUNT_LEFT = statement({
  name: 'count what is left about a number',
  text: `SELECT
           (SELECT count(*)::int FROM bill WHERE id = ANY($bills) AND position(right($mobile, 9) IN reference) > 0) AS reference,
           (SELECT count(*)::int FROM prompt_refusal WHERE mobile = $mobile) AS refusal,
           (SELECT count(*)::int FROM "user" WHERE mobile = $mobile)
             + (SELECT count(*)::int FROM invitation WHERE mobile = $mobile) AS cashier,
           (SELECT count(*)::int FROM merchant WHERE support_number = $mobile) AS merchant,
           (SELECT count(*)::int FROM audit_entry WHERE data->>'mobile' = $mobile) AS audit`,
  parameters: { bills: array(uuid), mobile: text },
  columns: {
    reference: neverNull(int4),
    refusal: neverNull(int4),
    cashier: neverNull(int4),
    merchant: neverNull(int4),
    audit: neverNull(int4),
  },
});

/** Why something was left. */
const LEFT_REASONS = ['open_attempt', 'open_refund', 'open_message', 'reference', 'refusal', 'cashier', 'merchant', 'audit'] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

export interface Erasure {
  readonly pseudonym: string;
  /** How many rows were erased. */
  readonly erased: Readonly<Record<keyof NumberRows, number>>;
  /** How many rows were left, for each reason that applies. */
  readonly left: readonly { readonly reason: LeftReason; readonly count: number }[];
}

/**
 * Erases a number over all merchants and both environments, in one transaction: payment requests and payments get its pseudonym, bills and
 * messages are emptied. Leaves what a payment or refund in progress still needs, and what another duty keeps. The audit log gets no number.
 */
export async function eraseNumber(runtime: NumberRuntime, { mobile, actor }: NumberOptions): Promise<Erasure> {
  const { db, secrets } = runtime;
  const pseudonym = pseudonymOfNumber(secrets, mobile);
  return db.sqlTransaction(
    async (tx) => {
      await LOCK_BILLS.rows(tx, { ids: (await findNumberRows(tx, mobile)).bills });
      const found = await findNumberRows(tx, mobile);
      const open = await FIND_OPEN.first(tx, found);
      if (!open) throw new Error('the statement returns one row');
      const without = (ids: readonly string[], ...kept: readonly (readonly string[])[]) => ids.filter((id) => !kept.flat().includes(id));
      const rows = {
        bills: without(found.bills, open.bills),
        attempts: without(found.attempts, open.attempts, open.refunded),
        payments: without(found.payments, open.payments),
        messages: without(found.messages, open.messages),
      };
      await eraseRows(tx, secrets, rows);
      await EMPTY_IMPORTED.rows(tx, { mobile });
      await DELETE_LIFTED.rows(tx, { mobile });
      if (open.attempts.length === 0) {
        await DELETE_TEST_PHONES.rows(tx, { mobile });
        for (const statement of TEST_DATA) await statement.rows(tx, { pseudonym, mobile, international: toInternational(mobile) });
      }
      const kept = await COUNT_LEFT.first(tx, { bills: found.bills, mobile });
      if (!kept) throw new Error('the statement returns one row');
      const inProgress = { open_attempt: open.attempts.length, open_refund: open.payments.length, open_message: open.messages.length };
      const counts: Readonly<Record<LeftReason, number>> = { ...inProgress, ...kept };
      const left = LEFT_REASONS.map((reason) => ({ reason, count: counts[reason] })).filter(({ count }) => count > 0);
      const erased = {
        bills: rows.bills.length,
        attempts: rows.attempts.length,
        payments: rows.payments.length,
        messages: rows.messages.length,
      };
      const entry = { merchantId: null, environment: null, actor, action: 'number.erased', subject: pseudonym, data: { erased, left } };
      await recordEntry(runtime, entry, tx);
      return { pseudonym, erased, left };
    },
    { unlimited: true },
  );
}

async function eraseRows(
  tx: Queryable,
  secrets: Pick<Secrets, 'token'>,
  { bills, attempts, payments, messages }: NumberRows,
): Promise<void> {
  await forgetBills(tx, bills);
  const deliveries = await LIST_DELIVERIES.rows(tx, { bills });
  await forgetDeliveries(
    tx,
    deliveries.map(({ id }) => id),
  );
  await forgetAttempts(tx, secrets, attempts);
  await forgetPayments(tx, secrets, payments);
  await forgetMessages(tx, messages);
}
