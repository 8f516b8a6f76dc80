import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { DELIVERY_STATES, type DeliveryState, type DeliveryTrigger } from '@/lib/gateway/webhooks/state';
import { isUuid } from '@/lib/platform/core/ids';
import { parsePeriod } from '@/lib/platform/core/period';
import { readDay } from '@/lib/platform/i18n/typed-day';
import type { DeliveryFilter } from './delivery-store';

/** The filter form of the deliveries page, as in the URL. An empty field does not filter. */
export interface DeliveryQuery {
  /** A state, or `WAITING` for all states of {@link WAITING_STATES}. */
  readonly state: string;
  readonly from: string;
  readonly to: string;
  /** A bill's reference, or its id. */
  readonly bill: string;
  readonly status: string;
  readonly trigger: string;
  /** `1`: only failed deliveries. */
  readonly failed: string;
}

/** The options of the form. The triggers `test` and `check` are missing, because they belong to no delivery. */
export const DELIVERY_CHOICES = {
  state: ['WAITING', ...DELIVERY_STATES],
  status: BILL_STATUSES,
  trigger: ['automatic', 'manual', 'bulk'],
} as const satisfies { readonly trigger: readonly DeliveryTrigger[]; readonly [name: string]: readonly string[] };

/** The states of deliveries that will be sent without anybody's help. */
const WAITING_STATES = ['BLOCKED', 'PENDING', 'SENDING'] as const satisfies readonly DeliveryState[];

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

interface ReadQuery {
  readonly filter: DeliveryFilter;
  /** A bill reference that the caller must look up. */
  readonly reference: string | null;
  /** `period` if the period cannot be parsed. The filter then ignores the period. Null if it can be parsed. */
  readonly problem: 'period' | null;
}

const TEXT_MAX = 300;

/** Returns the form fields in a URL. @param read returns a query parameter. */
export function deliveryQuery(read: (name: string) => string | null): DeliveryQuery {
  const text = (name: keyof DeliveryQuery) => read(name)?.slice(0, TEXT_MAX) ?? '';
  const day = (name: 'from' | 'to') => readDay(text(name)) ?? text(name);
  return {
    state: text('state'),
    from: day('from'),
    to: day('to'),
    bill: text('bill'),
    status: text('status'),
    trigger: text('trigger'),
    failed: text('failed'),
  };
}

/** Parses the form fields. Unknown options do not filter. */
export function parseDeliveryQuery({ state, from, to, bill, status, trigger, failed }: DeliveryQuery): ReadQuery {
  const billText = bill.trim();
  const period = from === '' && to === '' ? null : parsePeriod(from || FIRST_DAY, to || LAST_DAY);
  const one = <Text extends string>(list: readonly Text[], text: string) => {
    const found = list.filter((candidate) => candidate === text);
    return found.length > 0 ? found : null;
  };
  return {
    filter: {
      states: state === 'WAITING' ? WAITING_STATES : one(DELIVERY_STATES, state),
      billStatuses: one(DELIVERY_CHOICES.status, status),
      triggers: one(DELIVERY_CHOICES.trigger, trigger),
      failed: failed === '1',
      billId: isUuid(billText) ? billText : null,
      ...(period?.ok && { from: period.value.from, to: period.value.to }),
    },
    reference: billText === '' || isUuid(billText) ? null : billText,
    problem: period && !period.ok ? 'period' : null,
  };
}
