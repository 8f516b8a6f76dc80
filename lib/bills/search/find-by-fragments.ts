import type { ListScope } from '@/lib/bills/list/listing-sql';
import type { Queryable } from '@/lib/db/database';
import { findEntries, readSize } from './find-store';
import { fold } from './fold';
import { type Match, matchOf } from './group-matches';
import type { ParsedSearch } from './parse-search';
import { numberMatches, valuesOf } from './search-entry';
import { bucketOf, keysOf, partsToFind } from './search-keys';
import { listReceiptNumbers, listTail } from './search-store';
import type { SearchedBill } from './searched-bill';

type Fragment = ParsedSearch['fragments'][number];

/** A bill that may match, with all its mobile numbers and receipt numbers that may contain the fragment. */
interface Candidate {
  readonly bill: SearchedBill;
  readonly mobiles: readonly string[];
  readonly receipts: readonly string[];
}

/** Finds bills by parts of their texts: in the search entries, and in the newest bills, which have no entries yet. */
export async function findByFragments(
  tx: Queryable,
  scope: ListScope,
  { fragments, limit }: { readonly fragments: readonly Fragment[]; readonly limit: number },
): Promise<Match[]> {
  if (fragments.length === 0) return [];
  const [entries, tail] = await Promise.all([readSize(tx, scope), listTail(tx, scope)]);
  const newest = tail.map((bill) => ({ bill, mobiles: bill.mobile === null ? [] : [bill.mobile], receipts: [] }));
  const found = await Promise.all(
    fragments.map(async (fragment) => {
      const candidates = await findCandidates(tx, scope, { fragment, bucket: bucketOf(entries), limit });
      return [...candidates, ...newest].flatMap((candidate) => matchesOf(candidate, fragment));
    }),
  );
  return found.flat();
}

interface FindOptions {
  readonly fragment: Fragment;
  /** The number of the newest bucket of search entries in the scope. Older buckets have lower numbers. */
  readonly bucket: number;
  readonly limit: number;
}

async function findCandidates(
  tx: Queryable,
  scope: ListScope,
  { fragment: { kind, fragment }, bucket, limit }: FindOptions,
): Promise<Candidate[]> {
  const space = { ...scope, createdById: scope.billsOf };
  const groups = partsToFind(kind, fragment);
  const keys = Array.from({ length: bucket + 1 }, (_, age) => groups.map((parts) => keysOf(space, bucket - age, parts))).flat();
  const entries = await findEntries(tx, scope, { keys, contains: fragment, limit });
  const ids = kind === 'receipt' ? entries.map(({ bill }) => bill.id) : [];
  const numbers = ids.length === 0 ? [] : await listReceiptNumbers(tx, scope, ids);
  return entries.map(({ bill, text }) => ({
    bill,
    mobiles: valuesOf(text, 'mobile'),
    receipts: numbers.flatMap(({ billId, number }) => (billId === bill.id ? [number] : [])),
  }));
}

function matchesOf({ bill, mobiles, receipts }: Candidate, { kind, fragment }: Fragment): Match[] {
  const containing = (text: string) => fold(text).includes(fragment);
  switch (kind) {
    case 'mobile':
      return mobiles
        .filter((mobile) => numberMatches(mobile, fragment))
        .slice(0, 1)
        .map((value) => matchOf('mobile', bill, { value, part: fragment }));
    case 'receipt':
      return receipts
        .filter(containing)
        .slice(0, 1)
        .map((value) => matchOf('receipt', bill, { value, part: fragment }));
    case 'text':
      return [
        ...(containing(bill.reference) ? [matchOf('reference', bill, { value: bill.reference, part: fragment })] : []),
        ...(bill.customerName !== null && containing(bill.customerName)
          ? [matchOf('customer', bill, { value: bill.customerName, part: fragment })]
          : []),
      ];
  }
}
