import type { BillStatus } from '@/lib/bills/rules';
import { isUuid } from '@/lib/core/ids';
import { parsePeriod } from '@/lib/reconciliation/period';
import { DELIVERY_STATES, type DeliveryFilter } from './listing-store';
import type { DeliveryTrigger } from './store';

/** What the page's form asks for, as it stands in the address; empty is any. */
export interface DeliveryQuery {
  readonly state: string;
  readonly from: string;
  readonly to: string;
  /** A bill's reference, or its id. */
  readonly bill: string;
  readonly status: string;
  readonly trigger: string;
  /** `1`: only those that failed. */
  readonly failed: string;
}

export const DELIVERY_QUERY: DeliveryQuery = { state: '', from: '', to: '', bill: '', status: '', trigger: '', failed: '' };

const STATUSES: readonly BillStatus[] = ['NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID'];
/** Deliveries are of these alone: tests and checks announce no event. */
const TRIGGERS: readonly DeliveryTrigger[] = ['automatic', 'manual', 'bulk'];
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

export interface ReadQuery {
  readonly filter: DeliveryFilter;
  /** A bill's reference that is still to be looked up. */
  readonly reference: string | null;
  /** The field that cannot be read; the filter goes without it. */
  readonly problem: 'period' | null;
}

/** Reads a query; what is in no list counts as not asked for. Pure. */
export function readDeliveryQuery({ state, from, to, bill, status, trigger, failed }: DeliveryQuery): ReadQuery {
  const asked = bill.trim();
  const period = from === '' && to === '' ? null : parsePeriod(from || FIRST_DAY, to || LAST_DAY);
  const one = <Text extends string>(list: readonly Text[], text: string) => {
    const found = list.filter((candidate) => candidate === text);
    return found.length > 0 ? found : null;
  };
  return {
    filter: {
      states: one(DELIVERY_STATES, state),
      billStatuses: one(STATUSES, status),
      triggers: one(TRIGGERS, trigger),
      failed: failed === '1',
      billId: isUuid(asked) ? asked : null,
      ...(period?.ok && { from: period.value.from, to: period.value.to }),
    },
    reference: asked === '' || isUuid(asked) ? null : asked,
    problem: period && !period.ok ? 'period' : null,
  };
}
