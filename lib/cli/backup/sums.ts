import { z } from 'zod';
import { formatHead } from '@/lib/identity/audit/chain-rules';
import { findHead, listChains } from '@/lib/identity/audit/chain-store';
import type { Connection } from '@/lib/platform/db/database';
import { payment } from '@/lib/platform/db/generated/tables';
import { int8, neverNull, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const tablesSchema = z.array(z.object({ name: z.string(), grows: z.boolean() }));
const countSchema = z.tuple([z.object({ rows: z.bigint() })]);

const MONEY = statement({
  name: 'sum the money of each merchant',
  text: `SELECT 'payments' AS what, coalesce(merchant_id::text, 'nobody') AS merchant, environment::text, kind::text, sign(amount)::text AS sign,
           count(*) AS rows, sum(amount)::bigint AS amount FROM payment GROUP BY 2, 3, 4, 5
         UNION ALL
         SELECT 'allocations', merchant_id::text, environment::text, '', sign(amount)::text, count(*), sum(amount)::bigint
         FROM payment_allocation GROUP BY 2, 3, 5`,
  columns: {
    what: text,
    merchant: neverNull(text),
    environment: text,
    kind: text,
    sign: text,
    rows: int8,
    amount: neverNull(payment.amount),
  },
});

const BILLS = statement({
  name: 'sum the bills of each merchant',
  text: `SELECT merchant_id::text AS merchant, environment::text, count(*) AS rows, sum(amount)::bigint AS amount, sum(paid_amount)::bigint AS paid
         FROM bill GROUP BY 1, 2`,
  columns: { merchant: text, environment: text, rows: int8, amount: neverNull(int8), paid: neverNull(int8) },
});

/** The numbers by which a restored copy is compared with its original. */
interface Sums {
  readonly values: ReadonlyMap<string, bigint>;
  /** The names of the values that can only become larger in absolute terms, because their rows are never changed or deleted. */
  readonly growing: ReadonlySet<string>;
}

/** The least and the most that a restored copy may have of each value. */
export type SumRanges = Readonly<Record<string, readonly [bigint, bigint]>>;

/**
 * Counts the rows of every table, and sums the money of each merchant and environment. Reads whole tables. Unlogged tables, which have the use
 * of rate limits, are empty in a copy of the folder, so they are left out.
 */
export async function readSums(db: Connection): Promise<Sums> {
  const values = new Map<string, bigint>();
  const growing = new Set<string>();
  const found = await db.query({
    text: `SELECT c.relname::text AS name, EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = c.relname || '_append_only') AS grows
           FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition ORDER BY 1`,
  });
  for (const { name, grows } of tablesSchema.parse(found)) {
    const [{ rows }] = countSchema.parse(await db.query({ text: `SELECT count(*) AS rows FROM "${name}"` }));
    values.set(`rows of ${name}`, rows);
    if (grows) growing.add(`rows of ${name}`);
  }
  for (const { what, merchant, environment, kind, sign, rows, amount } of await MONEY.rows(db, {})) {
    const name = [what, kind, sign === '-1' ? 'below zero' : '', 'of', merchant, 'in', environment].filter((word) => word !== '').join(' ');
    for (const [unit, value] of Object.entries({ rows, senti: amount })) {
      values.set(`${unit} of ${name}`, value);
      growing.add(`${unit} of ${name}`);
    }
  }
  for (const { merchant, environment, rows, amount, paid } of await BILLS.rows(db, {}))
    for (const [name, value] of Object.entries({ rows, 'senti asked': amount, 'senti paid': paid }))
      values.set(`${name} of bills of ${merchant} in ${environment}`, value);
  return { values, growing };
}

/** Returns the heads of all chains of the audit log. */
export async function readHeads(db: Connection): Promise<string[]> {
  const heads: string[] = [];
  for (const chain of await listChains(db)) {
    const head = await findHead(db, chain);
    if (head) heads.push(formatHead(head));
  }
  return heads;
}

/**
 * Returns what a copy may have that was made between two moments. A value that has changed meanwhile and does not only grow is left out.
 * Pure.
 */
export function rangeOf(before: Sums, after: Sums): SumRanges {
  const ranges: Record<string, readonly [bigint, bigint]> = {};
  for (const name of new Set([...before.values.keys(), ...after.values.keys()])) {
    const [first, last] = [before.values.get(name) ?? 0n, after.values.get(name) ?? 0n];
    if (first === last || after.growing.has(name)) ranges[name] = first < last ? [first, last] : [last, first];
  }
  return ranges;
}

/** Returns a sentence for each value of a restored copy that is not in its range. A value without a range must not be there, unless it is new. Pure. */
export function compareSums(ranges: SumRanges, { values }: Sums): string[] {
  return Object.entries(ranges).flatMap(([name, [least, most]]) => {
    const found = values.get(name) ?? 0n;
    if (found >= least && found <= most) return [];
    return [`${name}: ${found}, but the backup has ${least === most ? least : `${least} to ${most}`}`];
  });
}
