import { addMs, DAY_MS } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { parseDay } from '@/lib/core/instant';
import { actionKey } from './describe-entry';

/** Who is meant that is no member: the operator, Bili itself, and the merchant's own servers. */
export const ACTOR_KINDS = ['operator', 'system', 'key'] as const;

/** Which entries are asked for. Null where it does not matter. */
export interface AuditFilter {
  /** `user:<email>`, or the kind of actor: `operator`. */
  readonly by: string | null;
  /** As texts are named by it: with `_` for dots and hyphens. */
  readonly action: string | null;
  /** From the beginning of a day in East Africa until before another. */
  readonly from: Date | null;
  readonly until: Date | null;
}

/** What somebody chose, as it stands in the address. */
export type AuditQuery = Readonly<Record<'by' | 'action' | 'from' | 'to', string>>;

/** Pure. What cannot be understood does not filter. */
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

/** Pure. @returns where a page begins, or null for the newest. */
export function readCursor(text: string | null): string | null {
  return text !== null && isUuid(text) ? text : null;
}
