import fc from 'fast-check';
import {
  type BillFilter,
  type BillQuery,
  PAGE_SIZES,
  PERIOD_BASES,
  PRESETS,
  REQUEST_REASONS,
  SORTS,
} from '@/lib/backoffice/bill-list/bill-query';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { type Mobile, parseMobile } from '@/lib/platform/core/mobile';
import { NETWORKS } from '@/lib/platform/core/network';

const rarely = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { freq: 1 });
const mobile: fc.Arbitrary<Mobile | null> = fc
  .integer({ min: 0, max: 99_999_999 })
  .map((n) => parseMobile(`07${String(n).padStart(8, '0')}`));
const days = (least: string, most: string) =>
  fc.date({ min: new Date(least), max: new Date(most), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));

interface Choice {
  /** Prefixes of references. */
  readonly references: fc.Arbitrary<string>;
  readonly mobiles: fc.Arbitrary<Mobile | null>;
  /** The earliest day in the filters; `most` is the latest day. */
  readonly least: string;
  readonly most: string;
}

/** Returns a generator of random queries of a bill list. Most queries have several filters. */
export function queriesOf({ references, mobiles, least, most }: Choice): fc.Arbitrary<BillQuery> {
  const range = fc
    .tuple(rarely(days(least, most)), rarely(days(least, most)))
    .filter(([from, to]) => from !== null || to !== null)
    .map(([from, to]) => (from !== null && to !== null && from > to ? { from: to, to: from } : { from, to }));
  const amounts = fc
    .tuple(rarely(fc.bigInt(0n, 40_000_000n)), rarely(fc.bigInt(0n, 40_000_000n)))
    .map(([a, b]) => (a !== null && b !== null && a > b ? { least: b, most: a } : { least: a, most: b }));
  const filter: fc.Arbitrary<BillFilter> = fc
    .record({
      statuses: fc.subarray([...BILL_STATUSES], { maxLength: 2 }),
      closed: rarely(fc.boolean()),
      period: rarely(fc.oneof(fc.constantFrom(...PRESETS), range)),
      by: fc.constantFrom(...PERIOD_BASES),
      amounts,
      network: rarely(fc.constantFrom(...NETWORKS)),
      reference: rarely(references),
      mobile: rarely(mobiles).map((one) => one),
      failed: fc.boolean(),
      reason: rarely(fc.constantFrom(...REQUEST_REASONS)),
      unknown: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
      overpaid: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
      lastFailed: fc.integer({ max: 4, min: 0 }).map((n) => n === 0),
      checks: fc.boolean(),
    })
    .map(({ amounts: amount, ...rest }) => ({ ...rest, ...amount, by: rest.period === null ? ('created' as const) : rest.by }));
  return fc.record({ filter, sort: fc.constantFrom(...SORTS), size: fc.constantFrom(...PAGE_SIZES) });
}

export const anyQuery = queriesOf({
  references: fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text) && text.isWellFormed()),
  mobiles: mobile,
  least: '2025-01-01',
  most: '2026-12-31',
});
