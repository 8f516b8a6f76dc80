import { ALL_BILLS, type BillFilter } from '@/lib/bills/list/filter';
import { indexScans } from '@/lib/bills/list/index-scans';
import { LIMITS } from '@/lib/bills/list/listing-limits';
import { ANY_VALUES, type BillSelection } from '@/lib/bills/list/listing-sql';
import { type Page, pageStatement, readEndStatement, scanCountsStatement } from '@/lib/bills/list/listing-statements';
import type { PageCursor, SortKey } from '@/lib/bills/list/page-cursor';
import { newestOfTabsStatement, summaryStatement, totalsStatement } from '@/lib/bills/list/summary-statements';
import { parseMobile } from '@/lib/core/mobile';
import { registerVariants } from '@/lib/db/statement';

// Registers all variants of the list statements for the test of declared statements: each condition alone and all together, for each index
// scan and each kind of page. Only that test imports this file.

const MOBILE = parseMobile('0712345678');
const ID = '00000000-0000-7000-8000-000000000000';
const EVERYTHING: BillFilter = {
  statuses: ['NOT_PAID'],
  closed: true,
  period: 'today',
  by: 'created',
  least: 1n,
  most: 2n,
  network: 'vodacom',
  reference: 'A',
  mobile: MOBILE,
  failed: true,
  reason: 'wrong_pin',
  unknown: true,
  overpaid: true,
  lastFailed: true,
  checks: true,
};
const FILTERS: readonly Partial<BillFilter>[] = [
  {},
  ...Object.entries(EVERYTHING).map(([name, value]) => ({ [name]: value })),
  { closed: false },
  { by: 'paid' },
  { by: 'received' },
  { by: 'received', network: 'vodacom' },
  { by: 'ended' },
  { by: 'ended', network: 'vodacom', failed: true, reason: 'wrong_pin' },
  { reason: 'no_answer' },
  { reason: 'none' },
  { by: 'due' },
  { by: 'due', statuses: ['NOT_PAID'], closed: false },
  EVERYTHING,
];
const SCOPES = [ID, null].map((billsOf) => ({ merchantId: ID, environment: 'sandbox' as const, billsOf }));
const PERIODS = [
  { from: null, until: null },
  { from: new Date(0), until: new Date(1) },
];
const KEYS: readonly SortKey[] = ['created', 'paid', 'amount'];
const CURSORS: readonly (PageCursor | null)[] = [
  null,
  ...(['after', 'before'] as const).map((side) => ({ side, position: { id: ID, value: 0n } })),
];
const PAGES: readonly Page[] = KEYS.flatMap((key) =>
  [true, false].flatMap((descending) => CURSORS.map((cursor) => ({ key, descending, cursor, limit: 1 }))),
);

function variantsOf(selection: BillSelection) {
  const scans = indexScans(selection);
  const bounded: Page = { key: 'created', descending: true, cursor: null, limit: 1, readMax: 1 };
  const after: Page = { ...bounded, cursor: { side: 'after', position: { id: ID, value: 0n } } };
  return [
    ...scans
      .filter(({ ordered }) => ordered === 'created')
      .flatMap((scan) =>
        [bounded, after].flatMap((page) => {
          const plan = { scan, sortAll: false, exact: false, countable: false };
          return [pageStatement(selection, plan, page), readEndStatement(plan, page)];
        }),
      ),
    scanCountsStatement(scans, LIMITS.comparedMax),
    newestOfTabsStatement(selection, LIMITS.tabCandidates),
    ...scans.flatMap((scan) => [summaryStatement(selection, scan), totalsStatement(selection, scan)]),
    ...scans.flatMap((scan) =>
      [true, false].flatMap((sortAll) => {
        const plan = { scan, sortAll, exact: sortAll, countable: true };
        const pages = PAGES.filter(({ key }) => sortAll || key === scan.ordered);
        return pages.map((page) => pageStatement(selection, plan, page));
      }),
    ),
  ];
}

const lists = SCOPES.flatMap((scope) =>
  FILTERS.flatMap((filter) => PERIODS.map((period): BillSelection => ({ scope, filter: { ...ALL_BILLS, ...filter }, period }))),
);
/** The API filters by status and period only, and by exact values. */
const byValues = lists
  .filter(({ filter }) => filter.reference === null)
  .flatMap((list) =>
    [{ reference: 'A' }, { mobile: MOBILE }, { metadata: { a: 'b' } }].map((exact) => ({ ...list, exact: { ...ANY_VALUES, ...exact } })),
  );
const forms = [...lists, ...byValues].flatMap(variantsOf).map(({ statement }) => statement);
registerVariants([...new Map(forms.map((form) => [form.text, form])).values()]);
