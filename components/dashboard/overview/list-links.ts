import { ALL_BILLS, type BillFilter, formatBillQuery, type RequestReason } from '@/lib/backoffice/bill-list/bill-query';
import { dashboardPath } from '@/lib/identity/accounts/access/grant-access';
import { isNetwork, type Network } from '@/lib/platform/core/network';
import type { Environment } from '@/lib/platform/core/scope';

export interface Place {
  readonly slug: string;
  readonly environment: Environment;
}

/** A range of days in East Africa Time, which includes the first and the last day. */
interface Days {
  readonly first: string | null;
  readonly last: string;
}

interface Requests {
  readonly network?: string;
  readonly reason?: RequestReason;
  readonly failed?: boolean;
}

/** Returns functions that return the address of a bill list. Each list shows the bills that one figure of the overview counts. */
export function listLinks(place: Place) {
  const path = dashboardPath({ ...place, page: 'bills' });
  const list = (filter: Partial<BillFilter>): string => {
    // The figures of the sandbox include the bills of receiver checks. Lists hide these bills by default, so the links ask for them.
    const checks = place.environment === 'sandbox';
    const query = formatBillQuery({ filter: { ...ALL_BILLS, checks, ...filter }, sort: 'newest', size: 25 });
    return `${path}?${query}`;
  };
  const within = ({ first, last }: Days) => ({ period: { from: first, to: last } });
  return {
    filtered: list,
    /** Bills on which a payment was booked on these days, through one network or any. */
    received: (days: Days, network?: string) =>
      list({ ...within(days), by: 'received', network: network === undefined ? null : known(network) }),
    /** Bills that were fully paid on these days. */
    paid: (days: Days) => list({ ...within(days), by: 'paid', statuses: ['FULLY_PAID'] }),
    /** Bills with a payment request that ended on these days. */
    ended: (days: Days, { network, reason, failed }: Requests = {}) =>
      list({
        ...within(days),
        by: 'ended',
        network: network === undefined ? null : known(network),
        reason: reason ?? null,
        failed: failed ?? false,
      }),
    /** Open bills that are not fully paid and were due on these days. */
    overdue: (days: Days) => list({ statuses: ['NOT_PAID', 'PARTIALLY_PAID'], closed: false, by: 'due', ...within(days) }),
    /** Open bills that are not fully paid and were created on these days. If `days` is null, the day of creation does not matter. */
    unpaid: (days: Days | null) =>
      list({ statuses: ['NOT_PAID', 'PARTIALLY_PAID'], closed: false, period: days === null ? null : within(days).period }),
  };
}

function known(network: string): Network {
  return isNetwork(network) ? network : 'other';
}
