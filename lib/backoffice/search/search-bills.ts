import type { ListScope } from '@/lib/backoffice/bill-list/listing-store';
import type { Bill } from '@/lib/gateway/bills/rules';
import { groupCode } from '@/lib/gateway/receipts/rules';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Queryable } from '@/lib/platform/db/database';
import { isBusy } from '@/lib/platform/db/errors';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { fold } from './fold';
import { type FoundGroup, groupMatches, type Match, type MatchKind, matchOf } from './group-matches';
import { type ParsedSearch, parseSearch } from './parse-search';
import { type Candidate, type FoundBill, findBills, findEntries, type Lookup, limitTime, listTail, readSize } from './search-store';

/**
 * How many search entries are read for each bill that is shown. One entry per bill is not enough: a bill can have several entries, and an
 * entry can match by a text of another group, for example by the customer's name instead of the reference.
 */
const ENTRIES_PER_SHOWN = 3;

interface Found {
  /** The only bill with an exact match; null if there is none or more than one. */
  readonly exact: Bill | null;
  readonly groups: readonly FoundGroup[];
  /** Whether the search was stopped because it took too long. */
  readonly slow: boolean;
}

interface SearchOptions {
  readonly typed: string;
  /** How many bills of each group are shown. One more bill is read, to detect whether there are more. */
  readonly shown: number;
}

/**
 * Finds bills that the member may see: by a part of the reference, the customer's name or a receipt number, by the end or the beginning
 * of a mobile number, by amount, by receipt code and by id. It finds nothing for a text that cannot be any of them.
 */
export async function searchBills(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  { typed, shown }: SearchOptions,
): Promise<Result<Found, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const parsed = parseSearch(typed);
  if (parsed.lookups.length === 0) return ok({ exact: null, groups: [], slow: false });
  const scope = { ...access.scope, billsOf: access.billsOf };
  try {
    return ok(
      await db.sqlTransaction(async (tx) => {
        const [, found] = await Promise.all([limitTime(tx), find(tx, scope, parsed, shown)]);
        return found;
      }),
    );
  } catch (error) {
    if (isBusy(error)) return ok({ exact: null, groups: [], slow: true });
    throw error;
  }
}

async function find(tx: Queryable, scope: ListScope, { lookups, fragments }: ParsedSearch, shown: number): Promise<Found> {
  const limit = shown + 1;
  const looked = lookups.map(async (one) => ({ ...one, found: await findBills(tx, scope, { ...one, limit }) }));
  const [matches, ...exactly] = await Promise.all([findByFragments(tx, scope, fragments, limit * ENTRIES_PER_SHOWN), ...looked]);
  const exact = exactly.filter(isExact).flatMap(({ found }) => found.map(({ bill }) => bill));
  const [only] = exact;
  const all = [...matches, ...exactly.flatMap(({ lookup, text, found }) => found.map((one) => lookedUp(lookup, String(text), one)))];
  return {
    exact: only && exact.every(({ id }) => id === only.id) ? only : null,
    groups: groupMatches(all, shown),
    slow: false,
  };
}

const RECEIPT_CODE_LENGTH = 12;

/**
 * Returns whether a look-up is exact. Look-ups by amount and by the beginning of a text are not exact, because they may find many bills.
 */
function isExact({ lookup, text }: ParsedSearch['lookups'][number]): boolean {
  return lookup === 'code' ? String(text).length === RECEIPT_CODE_LENGTH : lookup !== 'prefix' && lookup !== 'amount';
}

function lookedUp(lookup: Lookup, text: string, { bill, value }: FoundBill): Match {
  switch (lookup) {
    case 'amount':
      return { kind: 'amount', bill, value: '', mark: null };
    case 'code':
      return matchOf('code', bill, { value: groupCode(value ?? text), part: text });
    case 'link':
      return { kind: 'id', bill, value: bill.id, mark: null };
    case 'id':
      return matchOf('id', bill, { value: bill.id, part: text });
    default:
      return matchOf(lookup === 'prefix' ? 'reference' : lookup, bill, { value: value ?? bill.reference, part: text });
  }
}

type Fragment = ParsedSearch['fragments'][number];

/** Finds bills by parts of their texts: in the search entries, and in the newest bills, which have no entries yet. */
async function findByFragments(tx: Queryable, scope: ListScope, fragments: readonly Fragment[], limit: number): Promise<Match[]> {
  if (fragments.length === 0) return [];
  const [entries, tail] = await Promise.all([readSize(tx, scope), listTail(tx, scope)]);
  const found = await Promise.all(
    fragments.map(async (fragment) => {
      const candidates = await findEntries(tx, scope, { ...fragment, entries, limit });
      return [...candidates, ...tail].flatMap((candidate) => matchesOf(candidate, fragment));
    }),
  );
  return found.flat();
}

function matchesOf({ bill, mobiles, receipts }: Candidate, { kind, fragment }: Fragment): Match[] {
  const firstOf = (matched: MatchKind, values: readonly string[], matches: (value: string) => boolean) =>
    values
      .filter(matches)
      .slice(0, 1)
      .map((value) => matchOf(matched, bill, { value, part: fragment }));
  const contains = (value: string) => fold(value).includes(fragment);
  switch (kind) {
    case 'mobile':
      // Digits in the middle of a number mean nothing to people.
      return firstOf('mobile', mobiles, (mobile) => mobile.startsWith(fragment) || mobile.endsWith(fragment));
    case 'receipt':
      return firstOf('receipt', receipts, contains);
    case 'text':
      return [...firstOf('reference', [bill.reference], contains), ...firstOf('customer', [bill.customerName ?? ''], contains)];
  }
}
