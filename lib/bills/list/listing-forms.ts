import { parseMobile } from '@/lib/core/mobile';
import { registerVariants } from '@/lib/db/statement';
import { ALL_BILLS, type BillFilter } from './filter';
import { LIMITS } from './listing-limits';
import type { Listed } from './listing-sql';
import { countOf, countsOf, type Page, pageOf } from './listing-statements';
import { waysTo } from './listing-ways';
import type { PageCursor, SortKey } from './page-cursor';

// Registers all variants of the list statements for the test of declared statements: each condition alone and all together, for each index
// scan and each kind of page. Only that test imports this file.

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
  mobile: parseMobile('0712345678'),
  failed: true,
  unknown: true,
  overpaid: true,
};
const FILTERS: readonly Partial<BillFilter>[] = [
  {},
  ...Object.entries(EVERYTHING).map(([name, value]) => ({ [name]: value })),
  { closed: false },
  { by: 'paid' },
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
  ...(['after', 'before'] as const).map((way) => ({ way, place: { id: ID, value: 0n } })),
];
const PAGES: readonly Page[] = KEYS.flatMap((key) =>
  [true, false].flatMap((descending) => CURSORS.map((cursor) => ({ key, descending, cursor, limit: 1 }))),
);

function formsOf(listed: Listed) {
  const ways = waysTo(listed);
  return [
    countsOf(ways, LIMITS.compared),
    ...ways.flatMap((way) =>
      [true, false].flatMap((few) => {
        const plan = { way, few, whole: few, countable: true };
        const pages = PAGES.filter(({ key }) => few || key === way.ordered);
        return [countOf(listed, plan), ...pages.map((page) => pageOf(listed, plan, page))];
      }),
    ),
  ];
}

const lists = SCOPES.flatMap((scope) =>
  FILTERS.flatMap((filter) => PERIODS.map((period) => ({ scope, filter: { ...ALL_BILLS, ...filter }, period }))),
);
const forms = lists.flatMap(formsOf).map(({ statement }) => statement);
registerVariants([...new Map(forms.map((form) => [form.text, form])).values()]);
