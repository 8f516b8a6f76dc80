import { type KnownDays, readDays } from '@/lib/backoffice/overview/read-days';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { splitPage } from '@/lib/platform/core/page';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { type Alert, type AlertPosition, type AlertTopic, readerOf } from './alert';
import { findMark, listAlertRows, MOVE_MARK } from './alert-store';

/** Only events that are not older than this are listed. The pages of bills and of the audit log also show older events. */
const WINDOW_MS = 30 * DAY_MS;
/** For a member who never marked notifications as read, the notifications of the last 24 hours are unread. */
const NEW_MS = DAY_MS;
/** Unread notifications are counted up to this number. */
export const UNREAD_MAX = 100;
/** Notifications on one page of the list. */
const PAGE_SIZE = 50;

interface AlertList {
  readonly alerts: readonly Alert[];
  /** Events after this instant are unread. */
  readonly readUntil: Date;
}

/** Returns the newest notifications of a member, at most `UNREAD_MAX`. */
export async function listNewestAlerts({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<AlertList> {
  const now = clock();
  if (!may(access, 'bills.view')) return { alerts: [], readUntil: now };
  const { scope, role, user } = access;
  const [alerts, mark] = await Promise.all([
    listAlertRows(db, scope, {
      reader: readerOf(role, user.id),
      topic: null,
      now,
      since: addMs(now, -WINDOW_MS),
      before: null,
      limit: UNREAD_MAX,
    }),
    findMark(db, scope, user.id),
  ]);
  return { alerts, readUntil: mark ?? addMs(now, -NEW_MS) };
}

interface Bell {
  /** The newest payments and other news, at most `shown`. */
  readonly news: readonly Alert[];
  /** Unread notifications that need attention, at most `UNREAD_MAX`. */
  readonly attention: readonly Alert[];
  readonly readUntil: Date;
}

/** Reads the two topics apart, so that many payments do not push out what needs attention. */
export async function showBell({ db, clock }: ReadRuntime, access: MerchantAccess, shown: number): Promise<Bell> {
  const now = clock();
  if (!may(access, 'bills.view')) return { news: [], attention: [], readUntil: now };
  const { scope, role, user } = access;
  const shared = { reader: readerOf(role, user.id), now, before: null };
  const [news, { readUntil, attention }] = await Promise.all([
    listAlertRows(db, scope, { ...shared, topic: 'news', since: addMs(now, -WINDOW_MS), limit: shown }),
    readAttention(db, access, now),
  ]);
  return { news, attention, readUntil };
}

/** Returns until when the member has read, and the later notifications that need attention. */
async function readAttention(db: ReadRuntime['db'], { scope, role, user }: MerchantAccess, now: Date) {
  const readUntil = (await findMark(db, scope, user.id)) ?? addMs(now, -NEW_MS);
  const [first] = [addMs(now, -WINDOW_MS), addMs(readUntil, 1)].sort((a, b) => b.getTime() - a.getTime());
  const since = first ?? now;
  const options = { reader: readerOf(role, user.id), topic: 'attention', now, since, before: null, limit: UNREAD_MAX } as const;
  return { readUntil, attention: await listAlertRows(db, scope, options) };
}

interface AlertPage extends AlertList {
  readonly older: AlertPosition | null;
  /** Unread notifications that need attention, at most `UNREAD_MAX`. */
  readonly attention: readonly Alert[];
  /** The payments of each day, also of those that are on other pages. Null for members who see only some of the payments. */
  readonly days: KnownDays['payments'] | null;
}

interface PageOptions {
  readonly topic: AlertTopic;
  /** The last notification of the previous page; null for the first page. */
  readonly before: AlertPosition | null;
}

/** Returns a page of a member's notifications of one topic. */
export async function listAlerts(runtime: ReadRuntime, access: MerchantAccess, { topic, before }: PageOptions): Promise<AlertPage> {
  const { db, clock } = runtime;
  const now = clock();
  if (!may(access, 'bills.view')) return { alerts: [], readUntil: now, older: null, attention: [], days: null };
  const { scope, role, user } = access;
  const reader = readerOf(role, user.id);
  const options = { reader, topic, now, since: addMs(now, -WINDOW_MS), before, limit: PAGE_SIZE + 1 };
  const [found, unread] = await Promise.all([listAlertRows(db, scope, options), readAttention(db, access, now)]);
  const { shown: alerts, last } = splitPage(found, PAGE_SIZE);
  const oldest = alerts.at(-1);
  const sums =
    topic === 'news' && reader.money && reader.billsOf === null && oldest
      ? await readDays(db, scope, { first: eastAfricanDay(oldest.at), today: eastAfricanDay(now) })
      : null;
  return { ...unread, alerts, older: last ? { at: last.at, id: last.id } : null, days: sums?.payments ?? null };
}

/**
 * Marks a member's notifications as read up to an instant. Later ones, which the member has not seen yet, stay unread.
 * @param until the instant of the newest notification that was shown, in ISO format. Returns false if it is invalid.
 */
export async function markRead({ db, clock }: ReadRuntime, { scope, user }: MerchantAccess, until: string): Promise<boolean> {
  const shown = new Date(until);
  if (Number.isNaN(shown.getTime())) return false;
  const now = clock();
  await MOVE_MARK.rows(db, { ...scope, userId: user.id, until: shown < now ? shown : now });
  return true;
}
