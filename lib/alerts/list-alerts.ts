import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { addMs, DAY_MS } from '@/lib/core/clock';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import type { Alert, AlertPosition } from './alert';
import { listAlertRows } from './alert-store';
import { findMark } from './mark-store';
import { readerOf } from './reader-rules';

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
    listAlertRows(db, scope, { reader: readerOf(role, user.id), now, since: addMs(now, -WINDOW_MS), before: null, limit: UNREAD_MAX }),
    findMark(db, scope, user.id),
  ]);
  return { alerts, readUntil: mark ?? addMs(now, -NEW_MS) };
}

interface AlertPage extends AlertList {
  readonly older: AlertPosition | null;
}

/** Returns a page of a member's notifications. @param before the last notification of the previous page; null for the first page. */
export async function listAlerts({ db, clock }: ReadRuntime, access: MerchantAccess, before: AlertPosition | null): Promise<AlertPage> {
  const now = clock();
  if (!may(access, 'bills.view')) return { alerts: [], readUntil: now, older: null };
  const { scope, role, user } = access;
  const options = { reader: readerOf(role, user.id), now, since: addMs(now, -WINDOW_MS), before, limit: PAGE_SIZE + 1 };
  const [found, mark] = await Promise.all([listAlertRows(db, scope, options), findMark(db, scope, user.id)]);
  const alerts = found.slice(0, PAGE_SIZE);
  const last = found.length > PAGE_SIZE ? alerts.at(-1) : undefined;
  return { alerts, readUntil: mark ?? addMs(now, -NEW_MS), older: last ? { at: last.at, id: last.id } : null };
}
