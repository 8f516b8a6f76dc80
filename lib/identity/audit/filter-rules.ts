import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import { parseDay } from '@/lib/platform/core/instant';
import { actionKey } from './describe-entry';

/** The kinds of actors that are not members: the operator, Bili itself, and the merchant's own servers. */
export const ACTOR_KINDS = ['operator', 'system', 'key'] as const;

/** Which entries to list. Null means no restriction. */
export interface AuditFilter {
  /** `user:<email>`, or a kind of actor, such as `operator`. */
  readonly by: string | null;
  /** The action's message key: with `_` in place of dots and hyphens. */
  readonly action: string | null;
  /** The first instant, inclusive: the start of a day in East Africa. `until` is the end of the last day, exclusive. */
  readonly from: Date | null;
  readonly until: Date | null;
}

export type AuditQuery = Readonly<Record<'by' | 'action' | 'from' | 'to', string>>;

/** Pure. Reads a filter from a query. Ignores invalid values. */
export function readFilter({ by, action, from, to }: AuditQuery): AuditFilter {
  const kind = ACTOR_KINDS.some((one) => one === by) || /^user:[^\s\p{C}]{3,254}$/u.test(by);
  const last = parseDay(to);
  return {
    by: kind ? by : null,
    action: actionKey(action),
    from: parseDay(from),
    until: last && addMs(last, DAY_MS),
  };
}

/** Pure. Returns the id of the entry after which a page starts, or null for the newest page. */
export function readCursor(text: string | null): string | null {
  return text !== null && isUuid(text) ? text : null;
}
