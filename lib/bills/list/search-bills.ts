import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Bill } from '@/lib/bills/rules';
import { isUuid } from '@/lib/core/ids';
import { readMobile } from '@/lib/core/mobile';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { readListing } from './listing-store';
import { type SearchKind, searchBillRows } from './search-store';

/** The number of bills shown for each kind. One more is read to detect that there are others. */
const SHOWN = 25;
const TEXT_MAX = 255;

export interface FoundGroup {
  readonly kind: SearchKind;
  readonly bills: readonly Bill[];
  readonly more: boolean;
}

interface Found {
  /** The only bill with an exact match; null if there is none or more than one. */
  readonly exact: Bill | null;
  readonly groups: readonly FoundGroup[];
}

/** Finds bills that the member may see, by id, reference, mobile number or receipt number. */
export async function searchBills(
  { db }: Pick<Runtime, 'db'>,
  access: MerchantAccess,
  typed: string,
): Promise<Result<Found, 'not_allowed'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const scope = { ...access.scope, billsOf: access.billsOf };
  const exact: FoundGroup[] = [];
  return readListing(db, async (tx) => {
    const search = async (kind: SearchKind, text: string): Promise<FoundGroup> => {
      const bills = await searchBillRows(tx, scope, { kind, text, limit: SHOWN + 1 });
      return { kind, bills: bills.slice(0, SHOWN), more: bills.length > SHOWN };
    };
    for (const { kind, text } of readSearch(typed)) {
      if (!exact.some((group) => group.kind === kind && group.bills.length > 0)) exact.push(await search(kind, text));
    }
    const ids = new Map(exact.flatMap(({ bills }) => bills.map((bill) => [bill.id, bill] as const)));
    const [only] = ids.values();
    if (only && ids.size === 1) return ok({ exact: only, groups: [] });
    const prefixMatches = await searchPrefix(search, typed);
    // Bills that match exactly also match the prefix, and are not shown twice.
    const others = { ...prefixMatches, bills: prefixMatches.bills.filter(({ id }) => !ids.has(id)) };
    return ok({ exact: null, groups: [...exact, others].filter(({ bills }) => bills.length > 0) });
  });
}

/** Returns what the text may be: each kind with the exact value to search for. */
function readSearch(typed: string): { readonly kind: SearchKind; readonly text: string }[] {
  const text = typed.trim();
  if (text === '' || !isText(typed)) return [];
  const mobile = readMobile(text);
  const code = text.toUpperCase();
  return [
    ...(isUuid(text) ? [{ kind: 'id' as const, text }] : []),
    { kind: 'reference', text },
    ...(/^[A-Z0-9]{20}$/.test(code) ? [{ kind: 'payment' as const, text: code }] : []),
    // Providers write receipt numbers in capital letters.
    ...[...new Set([text, code])].map((receipt) => ({ kind: 'receipt' as const, text: receipt })),
    ...(mobile === null ? [] : [{ kind: 'mobile' as const, text: mobile }]),
  ];
}

/**
 * Searches for references with a prefix: as typed, then in capitals, then with only the first letter in capitals. Phone keyboards change
 * the case.
 */
async function searchPrefix(search: (kind: SearchKind, text: string) => Promise<FoundGroup>, typed: string): Promise<FoundGroup> {
  const text = typed.trim();
  const pattern = (prefix: string) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  if (text === '' || !isText(typed)) return { kind: 'prefix', bills: [], more: false };
  const [first = '', ...rest] = text;
  let found: FoundGroup = { kind: 'prefix', bills: [], more: false };
  for (const prefix of new Set([text, text.toUpperCase(), first.toUpperCase() + rest.join('').toLowerCase()])) {
    if (found.bills.length === 0) found = await search('prefix', pattern(prefix));
  }
  return found;
}

function isText(text: string): boolean {
  return text.length <= TEXT_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text.trim());
}
