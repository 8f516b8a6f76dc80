import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '@/lib/platform/db/database';
import { type Env, runProgram } from '@/testing/process';
import { compareMoney } from '../compare-records';
import type { Customer } from './customers';
import type { Arrival, Shop } from './shops';

/** A payment in the books of a simulated provider. */
export interface BookedPayment {
  readonly shop: Shop;
  /** Our reference of the attempt or instrument. */
  readonly reference: string;
  readonly receipt: string;
  /** Shillings. */
  readonly amount: number;
  readonly mobile: string;
  readonly paidAt: Date;
  /** Whether a prompt was paid, and not an instrument. */
  readonly isPrompt: boolean;
}

/** Returns all payments in the books of the simulated providers. Call this when no prompt is open any more. */
export function readBooks(shops: readonly Shop[]): BookedPayment[] {
  return shops.flatMap((shop) => [
    ...shop.books.payments.flatMap(({ reference, id: receipt, amount, mobile, takenAt, behaviour: { steps } }) => {
      const last = steps.at(-1);
      return last?.ending === 'paid'
        ? [{ shop, reference, receipt, amount, mobile, paidAt: new Date(takenAt + last.afterMs), isPrompt: true }]
        : [];
    }),
    ...shop.books.instruments.flatMap(({ reference, payments }) =>
      payments.map(({ receipt, amount, mobile, paidAt }) => ({
        shop,
        reference,
        receipt,
        amount,
        mobile,
        paidAt: new Date(paidAt),
        isPrompt: false,
      })),
    ),
  ]);
}

/** Returns what each bill must have got, in shillings, by its id: by the books of its provider, and recorded by a person. */
export function expectedSums(customers: readonly Customer[], books: readonly BookedPayment[]): Map<string, number> {
  const byMobile = Map.groupBy(
    books.filter(({ isPrompt }) => isPrompt),
    ({ mobile }) => mobile,
  );
  const byReceipt = new Map(books.map((payment) => [`${payment.shop.name} ${payment.receipt}`, payment]));
  return new Map(
    customers.map(({ shop, billId, mobiles, receipts, cash }) => {
      const prompted = mobiles.flatMap((mobile) => byMobile.get(mobile) ?? []);
      const typed = receipts.flatMap((receipt) => byReceipt.get(`${shop.name} ${receipt}`) ?? []);
      return [billId, [...prompted, ...typed].reduce((sum, { amount }) => sum + amount, cash)];
    }),
  );
}

/** Compares the ledger with the books: each receipt once, with its amount, and the sums. Returns differences as sentences. */
export async function compareLedger(db: Database, books: readonly BookedPayment[], customers: readonly Customer[]): Promise<string[]> {
  const [sums] = await db.query<{ provider: number; hand: number; returned: number; unmatched: number }>({
    text: `SELECT (SELECT coalesce(sum(amount) / 100, 0)::int FROM payment WHERE kind = 'payment' AND source = 'provider') AS provider,
             (SELECT coalesce(sum(amount) / 100, 0)::int FROM payment WHERE kind = 'payment' AND source <> 'provider') AS hand,
             (SELECT count(*)::int FROM payment WHERE kind <> 'payment') + (SELECT count(*)::int FROM refund) AS returned,
             (SELECT count(*)::int FROM payment p WHERE kind = 'payment'
              AND NOT EXISTS (SELECT FROM payment_allocation a WHERE a.payment_id = p.id)) AS unmatched`,
  });
  const [inBooks, recorded] = [books.reduce((sum, { amount }) => sum + amount, 0), customers.reduce((sum, { cash }) => sum + cash, 0)];
  const receipts = books.map(({ receipt, amount }) => ({ receipt, amount, completed: true }));
  return [
    ...(await compareMoney(db, receipts)),
    ...(sums?.provider === inBooks ? [] : [`the ledger has ${sums?.provider} of the providers, their books have ${inBooks}`]),
    ...(sums?.hand === recorded ? [] : [`the ledger has ${sums?.hand} that people recorded, they recorded ${recorded}`]),
    ...(sums?.returned === 0 ? [] : [`${sums?.returned} refunds or reversals, although nobody returned money`]),
    ...(sums?.unmatched === 0 ? [] : [`${sums?.unmatched} payments belong to no bill`]),
  ];
}

const STATEMENT_HEAD = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';
const foundSchema = z.object({ found: z.array(z.object({ finding: z.string(), action: z.string(), lines: z.number() })) });

/** Writes the statement of each provider from its books and reconciles it. Returns what is not matched, as sentences. */
export async function compareStatements(
  shops: readonly Shop[],
  books: readonly BookedPayment[],
  { folder, env, from }: { readonly folder: string; readonly env: Env; readonly from: Date },
): Promise<string[]> {
  const problems: string[] = [];
  for (const shop of shops) {
    const lines = books
      .filter((payment) => payment.shop === shop)
      .map(({ receipt, amount, paidAt, reference, mobile }) =>
        [receipt, 'payment', amount, paidAt.toISOString(), reference, mobile, ''].join(','),
      );
    const file = join(folder, `${shop.name}.csv`);
    await writeFile(file, [STATEMENT_HEAD, ...lines, ''].join('\n'));
    const period = ['--from', from.toISOString(), '--to', new Date().toISOString()];
    const { stdout, stderr } = await runProgram(['reconcile', '--account', shop.accountId, '--statement', file, ...period, '--json'], env);
    if (stdout === '') {
      problems.push(`reconcile said nothing about ${shop.name}: ${stderr}`);
      continue;
    }
    const { found } = foundSchema.parse(JSON.parse(stdout));
    const matched = found.filter(({ finding, action }) => finding === 'matched' && action === 'none');
    const matchedLines = matched.reduce((sum, one) => sum + one.lines, 0);
    if (matchedLines !== lines.length) problems.push(`${matchedLines} of ${lines.length} lines of the statement of ${shop.name} match`);
    for (const { finding, action, lines: count } of found)
      if (finding !== 'matched' || action !== 'none')
        problems.push(`${count} lines of the statement of ${shop.name}: ${finding}, ${action}`);
  }
  return problems;
}

/** Compares the webhooks with the bills: the last one of each bill has its status, and no change of the status lacks one. */
export async function compareWebhooks(db: Database, arrivals: readonly Arrival[]): Promise<string[]> {
  const bills = await db.query<{ id: string; status: string; changes: number }>({
    text: `SELECT b.id, b.status::text, count(e.number)::int AS changes FROM bill b
           LEFT JOIN bill_event e ON e.bill_id = b.id AND e.type IN ('bill.not_paid', 'bill.partially_paid', 'bill.fully_paid')
           GROUP BY b.id`,
  });
  const byBill = Map.groupBy(arrivals, ({ billId }) => billId);
  return bills.flatMap(({ id, status, changes }) => {
    const arrived = byBill.get(id) ?? [];
    const distinct = new Set(arrived.map((one) => one.id)).size;
    const last = arrived.at(-1)?.status;
    return [
      ...(last === status ? [] : [`bill ${id} is ${status}, and its last webhook says ${last}`]),
      ...(distinct === changes ? [] : [`bill ${id} has changed its status ${changes} times, with ${distinct} webhooks`]),
    ];
  });
}
