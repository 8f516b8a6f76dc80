import type { Database } from '@/lib/platform/db/database';

/** An attempt that the provider has recorded. */
export interface ProviderRecord {
  readonly reference: string;
  readonly receipt: string;
  /** Shillings. */
  readonly amount: number;
  readonly completed: boolean;
}

/** What a fault must not leave behind. Each list is empty if all is well. */
export interface Damage {
  /** References of acknowledged bills for which the database has no bill with the acknowledged id. */
  readonly lost: readonly string[];
  /** References with more than one bill. */
  readonly doubled: readonly string[];
  /** Bills with more than one prompt at the provider. */
  readonly askedTwice: readonly string[];
  /** Sentences about receipt numbers that are missing in the ledger, booked twice or with another amount, or unknown to the provider. */
  readonly money: readonly string[];
}

interface CompareOptions {
  /** Ids of acknowledged bills by reference. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly provider: readonly ProviderRecord[];
}

/** Compares the clients' answers and the provider's records with the database. */
export async function compareRecords(db: Database, { acknowledged, provider }: CompareOptions): Promise<Damage> {
  const bills = await db.query<{ id: string; reference: string }>({
    text: "SELECT id, reference FROM bill WHERE reference LIKE 'FAULT-%'",
  });
  const byReference = Map.groupBy(bills, ({ reference }) => reference);
  const attempts = await db.query<{ reference: string; billId: string }>({
    text: 'SELECT our_reference AS reference, bill_id AS "billId" FROM push_attempt',
  });
  const billOf = new Map(attempts.map(({ reference, billId }) => [reference, billId]));
  const asked = Map.groupBy(provider, ({ reference }) => billOf.get(reference) ?? `nobody: ${reference}`);
  return {
    lost: [...acknowledged].flatMap(([reference, id]) => (byReference.get(reference)?.some((bill) => bill.id === id) ? [] : [reference])),
    doubled: [...byReference].flatMap(([reference, found]) => (found.length > 1 ? [reference] : [])),
    askedTwice: [...asked].flatMap(([bill, prompts]) => (prompts.length > 1 ? [bill] : [])),
    money: await compareMoney(db, provider),
  };
}

/** Compares the completed attempts of a provider with its payments in the ledger. Returns differences as sentences. */
export async function compareMoney(db: Database, provider: readonly Omit<ProviderRecord, 'reference'>[]): Promise<string[]> {
  const rows = await db.query<{ receipt: string; shillings: number }>({
    text: "SELECT provider_transaction_id AS receipt, (amount / 100)::int AS shillings FROM payment WHERE source = 'provider' AND kind = 'payment'",
  });
  const booked = Map.groupBy(rows, ({ receipt }) => receipt);
  const done = provider.filter(({ completed }) => completed);
  const receipts = new Set(done.map(({ receipt }) => receipt));
  return [
    ...done.flatMap(({ receipt, amount }) => {
      const found = booked.get(receipt) ?? [];
      if (found.length === 0) return [`${receipt} is not in the ledger`];
      if (found.length > 1) return [`${receipt} is in the ledger ${found.length} times`];
      return found[0]?.shillings === amount ? [] : [`${receipt} is in the ledger as ${found[0]?.shillings}, not ${amount}`];
    }),
    ...[...booked.keys()].flatMap((receipt) => (receipts.has(receipt) ? [] : [`${receipt} is in the ledger only`])),
  ];
}
