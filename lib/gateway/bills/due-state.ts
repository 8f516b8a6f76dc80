import { DAY_MS } from '@/lib/platform/core/clock';
import { EAST_AFRICA_MS } from '@/lib/platform/core/east-african-day';
import { formatDateParts } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { BillInfo } from './bill-info';
import type { Bill } from './rules';

type DueBill = Pick<Bill, 'status' | 'closedAt'> & Pick<BillInfo, 'dueAt'>;

/** When an open bill is due. `due`: it is due in `days` days, or today if `days` is 0. `overdue`: it was due `days` days ago. */
type DueState = { readonly kind: 'due' | 'overdue'; readonly days: number };

/** Returns when a bill is due, in East African days. Null for a bill without due date or that nobody has to pay any more. Pure. */
export function dueState({ dueAt, status, closedAt }: DueBill, now: Date): DueState | null {
  if (dueAt === null || status === 'FULLY_PAID' || closedAt !== null) return null;
  const dayOf = (instant: Date) => Math.floor((instant.getTime() + EAST_AFRICA_MS) / DAY_MS);
  const days = dayOf(dueAt) - dayOf(now);
  return days < 0 ? { kind: 'overdue', days: -days } : { kind: 'due', days };
}

/** Returns a day as `30 Nov`, with its year if that is not the current year. */
function formatDueDay(dueAt: Date, now: Date, locale: Locale): string {
  const yearOf = (instant: Date) => new Date(instant.getTime() + EAST_AFRICA_MS).getUTCFullYear();
  const day = formatDateParts(dueAt, locale, { day: 'numeric', month: 'short' });
  return yearOf(dueAt) === yearOf(now) ? day : `${day} ${yearOf(dueAt)}`;
}

/** Returns `Due 30 Nov`, `Due today` or `Overdue by 3 days`, and whether the bill is overdue. Null as for {@link dueState}. */
export function describeDue(bill: DueBill, now: Date, locale: Locale): { readonly text: string; readonly overdue: boolean } | null {
  const state = dueState(bill, now);
  if (state === null || bill.dueAt === null) return null;
  const t = translator(locale, 'BillInfo');
  if (state.kind === 'overdue') return { text: t('overdue', { days: state.days }), overdue: true };
  return { text: state.days === 0 ? t('dueToday') : t('due', { day: formatDueDay(bill.dueAt, now, locale) }), overdue: false };
}
