import { type BillSummary, readSummary } from './bill.ts';
import { date, fields, flag, list, text } from './fields.ts';

/** A change of a bill's status, as the event feed and the webhook report it. */
export interface BillEvent {
  /** The `webhook-id`. If you use webhooks too, ignore an event whose id you have already processed. */
  readonly id: string;
  readonly date: Date;
  readonly bill: BillSummary;
  /**
   * Store the cursor after you have processed the event, and give it as `after` to continue. Only the last event of a page has the cursor
   * that continues after the page. All other events have the cursor with which this page was read, or null on the first page. Therefore,
   * after a crash, you read the same page again: you get some events twice but miss none.
   */
  readonly cursor: string | null;
}

export interface EventPage {
  readonly events: readonly BillEvent[];
  readonly cursor: string;
  readonly more: boolean;
}

export function readEventPage(value: unknown, after: string | null): EventPage {
  const page = fields(value);
  const cursor = text(page, 'cursor');
  const events = list(page, 'events').map((one, index, { length }) => readEvent(one, index === length - 1 ? cursor : after));
  return { events, cursor, more: flag(page, 'more') };
}

/** Reads the events of one bill, which have no cursor. */
export function readBillEvents(value: unknown): readonly BillEvent[] {
  return list(fields(value), 'events').map((one) => readEvent(one, null));
}

function readEvent(value: unknown, cursor: string | null): BillEvent {
  const event = fields(value, 'events');
  const body = fields(event.body, 'body');
  return { id: text(event, 'id'), date: date(event, 'date'), bill: readSummary(fields(body.bill, 'bill')), cursor };
}

/** A network, and whether its customers can pay now. */
export interface NetworkStatus {
  readonly network: string;
  readonly wallet: string;
  /** `working`, `problems` or `not_served`. */
  readonly status: string;
}

export function readNetworks(value: unknown): readonly NetworkStatus[] {
  return list(fields(value), 'networks').map((one) => {
    const network = fields(one, 'networks');
    return { network: text(network, 'network'), wallet: text(network, 'wallet'), status: text(network, 'status') };
  });
}
