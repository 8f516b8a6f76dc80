import { BILL_STATUSES } from '@/lib/bills/rules';
import { isUuid } from '@/lib/core/ids';
import { parsePeriod } from '@/lib/reconciliation/period';
import { DELIVERY_STATES } from '@/lib/webhooks/state';
import type { DeliveryTrigger } from '@/lib/webhooks/store';
import type { DeliveryFilter } from './listing-store';

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

/** What there is to choose from. Deliveries have these triggers alone: tests and checks announce no event. */
export const DELIVERY_CHOICES = {
  state: DELIVERY_STATES,
  status: BILL_STATUSES,
  trigger: ['automatic', 'manual', 'bulk'],
} as const satisfies { readonly trigger: readonly DeliveryTrigger[]; readonly [name: string]: readonly string[] };

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

interface ReadQuery {
  readonly filter: DeliveryFilter;
  /** A bill's reference that is still to be looked up. */
  readonly reference: string | null;
  /** The field that cannot be read; the filter goes without it. */
  readonly problem: 'period' | null;
}

const TEXT_MAX = 300;

/** Takes a query from an address. @param read gives a parameter of it. Pure. */
export function takeDeliveryQuery(read: (name: string) => string | null): DeliveryQuery {
  const text = (name: keyof DeliveryQuery) => read(name)?.slice(0, TEXT_MAX) ?? '';
  return {
    state: text('state'),
    from: text('from'),
    to: text('to'),
    bill: text('bill'),
    status: text('status'),
    trigger: text('trigger'),
    failed: text('failed'),
  };
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
      states: one(DELIVERY_CHOICES.state, state),
      billStatuses: one(DELIVERY_CHOICES.status, status),
      triggers: one(DELIVERY_CHOICES.trigger, trigger),
      failed: failed === '1',
      billId: isUuid(asked) ? asked : null,
      ...(period?.ok && { from: period.value.from, to: period.value.to }),
    },
    reference: asked === '' || isUuid(asked) ? null : asked,
    problem: period && !period.ok ? 'period' : null,
  };
}
