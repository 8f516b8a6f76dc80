import { ALL_BILLS, type BillFilter, type PageCursor, type SortKey } from '@/lib/backoffice/bill-list/bill-query';
import { type BillSelection, pageStatement, summaryStatement, tabsStatement } from '@/lib/backoffice/bill-list/list-store';
import { newestStatements } from '@/lib/backoffice/bill-list/listing-store';
import { parseMobile } from '@/lib/platform/core/mobile';
import { registerVariants } from '@/lib/platform/db/statement';

// Registers all variants of the list statements for the test of declared statements: each condition alone and all together, for each order
// and each kind of page. Only that test imports this file.

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
const scope = { merchantId: ID, environment: 'sandbox' } as const;
const PERIODS = [
  { from: null, until: null },
  { from: new Date(0), until: new Date(1) },
];
const KEYS: readonly SortKey[] = ['created', 'paid', 'amount'];
const CURSORS: readonly (PageCursor | null)[] = [
  null,
  ...(['after', 'before'] as const).map((side) => ({ side, position: { id: ID, value: 0n } })),
];
const PAGES = KEYS.flatMap((key) =>
  [true, false].flatMap((descending) => CURSORS.map((cursor) => ({ key, descending, cursor, limit: 1 }))),
);

const lists = [ID, null].flatMap((billsOf) =>
  FILTERS.flatMap((filter) => PERIODS.map((period): BillSelection => ({ scope, billsOf, filter: { ...ALL_BILLS, ...filter }, period }))),
);
const NO_VALUES = { reference: null, mobile: null, metadata: null };
const ofApi = [{}, { reference: 'A' }, { mobile: MOBILE }, { reference: 'A', mobile: MOBILE }, { metadata: { a: 'b' } }].flatMap((exact) =>
  [ID, null].flatMap((billsOf) =>
    [[], ['NOT_PAID'] as const].flatMap((statuses) =>
      PERIODS.flatMap((period) =>
        CURSORS.map((cursor) =>
          newestStatements(
            { scope: { ...scope, billsOf }, statuses, period, exact: { ...NO_VALUES, ...exact } },
            { cursor, limit: 1, readMax: 1 },
          ),
        ),
      ),
    ),
  ),
);
const forms = [
  ...lists
    .flatMap((list) => [summaryStatement(list, list), tabsStatement(list), ...PAGES.map((page) => pageStatement(list, page))])
    .map(({ statement }) => statement),
  ...ofApi.flatMap(({ list, end }) => [list, end]),
];
registerVariants([...new Map(forms.map((form) => [form.text, form])).values()]);
