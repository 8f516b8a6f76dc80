import { beforeAll, describe, expect, test } from 'vitest';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import type { Pace } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { openReview } from '@/lib/gateway/reviews/store';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId, newId } from '@/lib/platform/core/ids';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type VerifyOptions, verifyLedger } from './verify-ledger';
import { CHECKS } from './verify-store';

const runtime = testRuntime();
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';
const pace: Pace = {
  firstQueryMs: 1,
  unknownQueryMs: 1,
  maxQueryMs: 1,
  retryMs: 1,
  giveUpMs: 1,
  promptMs: 1,
  refusesDuplicates: true,
  indexingMs: 1,
};

let merchant: TestMerchant;
let billId: string;

/** Changes data while the triggers that protect it are disabled. Bili itself never disables them. */
async function breakIt(sql: string): Promise<void> {
  await runtime().owner.transaction(async (tx) => {
    for (const table of ['bill', 'payment', 'payment_allocation']) await tx.query({ text: `ALTER TABLE ${table} DISABLE TRIGGER USER` });
    await tx.query({ text: sql });
    for (const table of ['bill', 'payment', 'payment_allocation']) await tx.query({ text: `ALTER TABLE ${table} ENABLE TRIGGER USER` });
  });
}

const broken = async () => (await verifyLedger(runtime().db)).filter(({ count }) => count > 0).map(({ name }) => name);

beforeAll(async () => {
  merchant = await makeMerchant(runtime());
  await runtime().db.query({ text: "UPDATE webhook_endpoint SET url = 'http://127.0.0.1:9/', updated_at = now() - interval '1 hour'" });
  billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
  const now = runtime().clock();
  await claimAttempts(runtime().db, { now, leaseUntil: addMs(now, MINUTE_MS), limit: 10 });
  const [attempt] = await listAttempts(runtime().db, billId);
  if (!attempt) throw new Error('there is no attempt');
  const paid = { kind: 'paid', transactionId: 'T1', amount: 500_000n } as const;
  await applyOutcome(runtime(), { attempt, providerAccountId: ACCOUNT, outcome: paid, pace, source: 'callback', leaseToken: null });
  await makeBill(runtime(), merchant, { amount: 700, mobile: '0712345005' });
});

test('pieces of one row find what one piece finds, and a check of new rows finds what has happened to old bills', async () => {
  const after = lowestId(runtime().clock().getTime() + 1);
  await breakIt(`UPDATE bill SET paid_amount = paid_amount + 1 WHERE id = '${billId}'`);
  const found = async (options: VerifyOptions) => (await verifyLedger(runtime().db, options)).filter(({ count }) => count > 0);
  const all = await found({});
  expect(all.map(({ name, count }) => [name, count])).toEqual([['paid_is_allocated', 1]]);
  expect(await found({ piece: 1 })).toEqual(all);
  expect(await found({ from: after })).toEqual([]);
  // A new attempt shows that the bill has changed.
  runtime().advance(MINUTE_MS);
  await runtime().db.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, created_at)
             SELECT $2, merchant_id, environment, bill_id, source, mobile, network, amount, repeat('A', 20), 'CANCELLED', now() FROM push_attempt WHERE bill_id = $1`,
    },
    [billId, newId(runtime())],
  );
  expect(await found({ from: after })).toEqual(all);
  await runtime().db.query({ text: "DELETE FROM push_attempt WHERE our_reference = repeat('A', 20)" });
  await breakIt(`UPDATE bill SET paid_amount = paid_amount - 1 WHERE id = '${billId}'`);
});

test('a consistent database has no violations', async () => {
  expect(await verifyLedger(runtime().db)).toEqual(CHECKS.map(({ name, holds }) => ({ name, holds, count: 0, first: [] })));
});

describe('an inconsistency is found', () => {
  const quotedBillId = () => `'${billId}'`;
  test.each([
    [
      'paid_is_allocated',
      'UPDATE bill SET paid_amount = paid_amount + 1 WHERE id = $',
      'UPDATE bill SET paid_amount = paid_amount - 1 WHERE id = $',
    ],
    ['reserved_is_asked', 'UPDATE bill SET reserved_amount = 5 WHERE id = $', 'UPDATE bill SET reserved_amount = 0 WHERE id = $'],
    ['reversed_is_taken_back', 'UPDATE bill SET reversed_amount = 5 WHERE id = $', 'UPDATE bill SET reversed_amount = 0 WHERE id = $'],
    [
      'events_numbered',
      'UPDATE bill SET event_count = event_count + 1 WHERE id = $',
      'UPDATE bill SET event_count = event_count - 1 WHERE id = $',
    ],
    [
      'status_follows',
      "UPDATE bill_event SET type = 'bill.partially_paid' WHERE bill_id = $ AND type = 'bill.fully_paid'",
      "UPDATE bill_event SET type = 'bill.fully_paid' WHERE bill_id = $ AND type = 'bill.partially_paid'",
    ],
    [
      'changes_announced',
      'UPDATE webhook_delivery SET event_number = event_number + 100 WHERE bill_id = $',
      'UPDATE webhook_delivery SET event_number = event_number - 100 WHERE bill_id = $',
    ],
    [
      'success_has_money',
      "UPDATE push_attempt SET state = 'EXPIRED' WHERE bill_id = $",
      "UPDATE push_attempt SET state = 'SUCCEEDED' WHERE bill_id = $",
    ],
    [
      'payments_not_overspent',
      "UPDATE payment SET amount = 1 WHERE provider_transaction_id = 'T1'",
      "UPDATE payment SET amount = 500000 WHERE provider_transaction_id = 'T1'",
    ],
    ['one_environment', "UPDATE payment SET environment = 'live'", "UPDATE payment SET environment = 'sandbox'"],
    [
      'open_has_next_step',
      "UPDATE push_attempt SET due_at = NULL WHERE state = 'SENDING' OR state = 'QUEUED'",
      "UPDATE push_attempt SET due_at = now() WHERE state = 'SENDING' OR state = 'QUEUED'",
    ],
    [
      'ledger_protected',
      'ALTER TABLE payment_fee DISABLE TRIGGER payment_fee_append_only',
      'ALTER TABLE payment_fee ENABLE TRIGGER payment_fee_append_only',
    ],
  ])('%s', async (name, wrong, right) => {
    await breakIt(wrong.replaceAll('$', quotedBillId()));
    expect(await broken()).toContain(name);
    await breakIt(right.replaceAll('$', quotedBillId()));
    expect(await broken()).toEqual([]);
  });

  test.each(['payment', 'payment_allocation', 'reversal_receipt', 'payment_fee', 'payment_correction', 'audit_entry'])(
    '%s cannot be truncated',
    async (table) => {
      await expect(runtime().owner.query({ text: `TRUNCATE ${table} CASCADE` })).rejects.toThrow('are never changed or deleted');
    },
  );

  test('refunds_booked: every refund that is done is in the ledger with its amount, and the ledger has no others', async () => {
    const columns =
      'id, environment, merchant_id, provider_account_id, till_id, provider_transaction_id, kind, amount, reverses_id, recorded_at';
    await breakIt(`INSERT INTO payment (${columns})
      SELECT gen_random_uuid(), environment, merchant_id, provider_account_id, till_id, 'U1', 'payment', 100, NULL, now() FROM payment`);
    const done = (amount: number, letter: string) =>
      breakIt(`INSERT INTO refund (id, environment, payment_id, amount, whole, way, our_reference, state, reason, requested_by, created_at)
        SELECT gen_random_uuid(), 'sandbox', id, ${amount}, false, 'reversal', '${letter.repeat(20)}', 'DONE', 'r', 'r', now() FROM payment WHERE provider_transaction_id = 'U1'`);
    await done(60, 'R');
    expect(await broken()).toEqual(['refunds_booked']);
    await breakIt(`INSERT INTO payment (${columns})
      SELECT gen_random_uuid(), environment, merchant_id, provider_account_id, till_id, 'R1', 'reversal', 60, id, now() FROM payment WHERE provider_transaction_id = 'U1'`);
    expect(await broken()).toEqual([]);
    await done(60, 'S');
    expect(await broken()).toEqual(['refunds_booked']);
    await breakIt("DELETE FROM refund WHERE our_reference LIKE 'S%'; UPDATE payment SET amount = 50 WHERE kind = 'reversal'");
    expect(await broken()).toEqual(['refunds_booked']);
    await breakIt(
      "INSERT INTO audit_entry (id, actor, action, subject, data, at) SELECT gen_random_uuid(), 'operator', 'refund.settled', id::text, '{}', now() FROM refund",
    );
    expect(await broken()).toEqual([]);
    await breakIt("UPDATE payment SET kind = 'refund' WHERE provider_transaction_id = 'R1'");
    expect(await broken()).toEqual(['refunds_booked']);
    await breakIt("UPDATE refund SET entry_id = (SELECT id FROM payment WHERE provider_transaction_id = 'R1')");
    expect(await broken()).toEqual([]);
    await breakIt("DELETE FROM refund; DELETE FROM payment WHERE provider_transaction_id IN ('R1', 'U1')");
  });

  test('corrections_named: a correction without a corrected entry, and one to a negative amount', async () => {
    const columns = 'id, environment, merchant_id, provider_account_id, till_id, provider_transaction_id, kind, amount, recorded_at';
    await breakIt(`INSERT INTO payment (${columns})
      SELECT gen_random_uuid(), environment, merchant_id, provider_account_id, till_id, 'K1', 'correction', -600000, now() FROM payment WHERE provider_transaction_id = 'T1'`);
    expect(await broken()).toEqual(['corrections_named']);
    await runtime().owner.transaction(async (tx) => {
      await tx.query({ text: 'ALTER TABLE payment_correction DISABLE TRIGGER USER' });
      await tx.query({
        text: `INSERT INTO payment_correction (id, payment_id, corrects_id, reason, created_by)
               SELECT k.id, p.id, p.id, 'r', 'c' FROM payment k, payment p WHERE k.provider_transaction_id = 'K1' AND p.provider_transaction_id = 'T1'`,
      });
    });
    expect(await broken()).toEqual(['payments_not_overspent', 'corrections_named', 'ledger_protected']);
    await runtime().db.query({ text: 'DELETE FROM payment_correction' });
    await runtime().owner.query({ text: 'ALTER TABLE payment_correction ENABLE TRIGGER USER' });
    await breakIt("DELETE FROM payment WHERE provider_transaction_id = 'K1'");
    expect(await broken()).toEqual([]);
  });

  test('instruments: their money is booked on their bills, they belong to the merchant of the bill, and somebody looks at open ones', async () => {
    const other = await makeMerchant(runtime());
    await breakIt(`INSERT INTO instrument (id, merchant_id, environment, bill_id, provider_account_id, kind, amount, our_reference, state, due_at, created_at)
      SELECT gen_random_uuid(), merchant_id, environment, id, '${ACCOUNT}', 'order', 70000, repeat('I', 20), 'ASKED', now(), now() FROM bill WHERE amount = 70000`);
    expect(await broken()).toEqual([]);
    await breakIt('UPDATE instrument SET due_at = NULL');
    expect(await broken()).toEqual(['open_has_next_step']);
    await breakIt(`UPDATE instrument SET due_at = now(), merchant_id = '${other.merchant.id}'`);
    expect(await broken()).toEqual(['one_environment']);
    await breakIt(`UPDATE instrument SET merchant_id = '${merchant.merchant.id}'`);
    const paidBy = await runtime().db.query<{ attempt_id: string }>({
      text: "SELECT attempt_id FROM payment WHERE provider_transaction_id = 'T1'",
    });
    await breakIt("UPDATE payment SET attempt_id = NULL, instrument_id = (SELECT id FROM instrument) WHERE provider_transaction_id = 'T1'");
    expect(await broken()).toEqual(['instrument_money_booked']);
    await breakIt(`UPDATE instrument SET bill_id = ${quotedBillId()}`);
    expect(await broken()).toEqual([]);
    // The money of an instrument does not explain where the money of an attempt is.
    await breakIt("UPDATE bill_event SET type = 'payment.moved' WHERE type = 'payment.recorded'");
    expect(await broken()).toEqual(['success_has_money']);
    await breakIt("UPDATE bill_event SET type = 'payment.recorded' WHERE type = 'payment.moved'");
    await breakIt(`UPDATE payment SET instrument_id = NULL, attempt_id = '${paidBy[0]?.attempt_id}' WHERE provider_transaction_id = 'T1'`);
    await breakIt('DELETE FROM instrument');
    expect(await broken()).toEqual([]);
  });

  test('ledger_protected: a trigger of the same name on another table protects nothing', async () => {
    const copy = 'CREATE TRIGGER payment_fee_append_only BEFORE UPDATE ON review FOR EACH ROW EXECUTE FUNCTION forbid_change()';
    await breakIt(`ALTER TABLE payment_fee DISABLE TRIGGER payment_fee_append_only; ${copy}`);
    expect(await broken()).toEqual(['ledger_protected']);
    await breakIt('DROP TRIGGER payment_fee_append_only ON review; ALTER TABLE payment_fee ENABLE TRIGGER payment_fee_append_only');
    expect(await broken()).toEqual([]);
  });

  test('details contain amounts in shillings', async () => {
    await breakIt(`UPDATE bill SET paid_amount = paid_amount + 50 WHERE id = ${quotedBillId()}`);
    const found = (await verifyLedger(runtime().db)).find(({ name }) => name === 'paid_is_allocated');
    expect(found?.first).toEqual([{ subject: billId, detail: 'paid TZS 5000.5, allocated TZS 5000' }]);
    await breakIt(`UPDATE bill SET paid_amount = paid_amount - 50 WHERE id = ${quotedBillId()}`);
  });

  test('an unknown attempt that is not due needs an open review', async () => {
    await breakIt("UPDATE push_attempt SET state = 'UNKNOWN', unknown_since = now(), due_at = NULL WHERE amount = 70000");
    expect(await broken()).toEqual(['open_has_next_step']);
    const [attempt] = await runtime().db.query<{ id: string }>({ text: 'SELECT id FROM push_attempt WHERE amount = 70000' });
    const { merchantId, environment } = merchant.scope('sandbox');
    const about = { environment, merchantId, kind: 'attempt_unresolved', attemptId: attempt?.id ?? '', data: {} } as const;
    expect(await openReview(runtime().db, { id: crypto.randomUUID(), ...about, openedAt: runtime().clock() })).toBe('opened');
    expect(await openReview(runtime().db, { id: crypto.randomUUID(), ...about, openedAt: runtime().clock() })).toBe('repeated');
    expect(await broken()).toEqual([]);
    await breakIt("UPDATE review SET resolved_at = now(), resolved_by = 'x', resolution = 'forgotten'");
    expect(await broken()).toEqual(['open_has_next_step']);
  });
});
