import type { ReviewKind } from '@/lib/gateway/reviews/rules';
import { type Role, roleMay } from '@/lib/identity/accounts/permissions';
import { isUuid } from '@/lib/platform/core/ids';

/** What a notification in the bell is about. */
export const ALERT_KINDS = [
  'payment',
  'reversal',
  'refund',
  'correction',
  'unmatched',
  'unknown',
  'review',
  'endpoint',
  'import',
  'member',
  'lock',
  'link',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** `attention`: somebody has to do or check something. `news`: all others, which are payments as a rule. */
export const ALERT_TOPICS = ['news', 'attention'] as const;
export type AlertTopic = (typeof ALERT_TOPICS)[number];

const NEWS: readonly AlertKind[] = ['payment', 'refund', 'correction', 'import', 'member'];

/** Pure. Returns the topic of a kind of notification. */
export function topicOf(kind: AlertKind): AlertTopic {
  return NEWS.includes(kind) ? 'news' : 'attention';
}

/** The position of a notification in the list: newest first, and by id within one millisecond. */
export interface AlertPosition {
  readonly at: Date;
  readonly id: string;
}

/** A recent event that a member may see. Amounts are senti. */
export interface Alert extends AlertPosition {
  readonly kind: AlertKind;
  readonly bill: { readonly id: string; readonly reference: string } | null;
  /** Negative if money left the bill. Null if the event has no amount. */
  readonly amount: bigint | null;
  /** By how much the bill was overpaid after a payment. 0 if it was not. */
  readonly overpaid: bigint;
  /** The name of the file, or of the member or cashier. Null for kinds that concern neither. */
  readonly name: string | null;
  /** The number of rows of an import. */
  readonly count: number | null;
  readonly review: ReviewKind | null;
}

/** The member whose notifications are listed. The role and the person decide what the member may see. */
export interface AlertReader {
  readonly webhooks: boolean;
  readonly team: boolean;
  readonly money: boolean;
  readonly imports: boolean;
  /** If set, only events of the bills that this person created. */
  readonly billsOf: string | null;
  readonly userId: string;
}

/** Returns the path of the page that shows more about an event. The path is relative to the pages of the merchant's environment. */
export function pageOf({ kind, bill, id }: Alert): string {
  if (bill) return `bills/${bill.id}`;
  if (kind === 'import') return `bills/import/${id}`;
  if (kind === 'endpoint') return 'webhooks';
  return kind === 'member' || kind === 'lock' || kind === 'link' ? 'team' : 'overview';
}

/** Writes a position for the address of the next page. */
export function formatPosition({ at, id }: AlertPosition): string {
  return `${at.getTime()}_${id}`;
}

/** Reads a position from an address. Returns null if it is invalid. */
export function parsePosition(text: string | null): AlertPosition | null {
  const [, ms = '', id = ''] = text?.match(/^(\d{1,15})_([\w-]+)$/) ?? [];
  const at = new Date(Number(ms));
  return isUuid(id) && !Number.isNaN(at.getTime()) ? { at, id } : null;
}

/** Pure. Returns which notifications a member with this role gets. */
export function readerOf(role: Role, userId: string): AlertReader {
  return {
    webhooks: roleMay(role, 'webhooks.view'),
    team: roleMay(role, 'team.view'),
    money: roleMay(role, 'overview.view'),
    imports: roleMay(role, 'bills.import'),
    billsOf: role === 'collector' ? userId : null,
    userId,
  };
}
