import { recordEntry } from '@/lib/audit/record-entry';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';

/** How many refusals of the last minute are remembered; the longest known is forgotten first. */
const MOST_REMEMBERED = 10_000;

/** Something that somebody tried and may not. */
export interface Refusal {
  readonly reason: 'role' | 'second_factor' | 'stranger' | 'foreign_page';
  /** What was tried: a permission, or a page. */
  readonly what: string;
  /** Null for a request from a foreign page, which nobody looks into. */
  readonly who: { readonly sessionId: string; readonly userId: string; readonly email: string } | null;
  /** Whose data it was about; null for a stranger, who must not fill the audit log of others. */
  readonly scope: Scope | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export type NoteRefusal = (refusal: Refusal) => void;

/**
 * Makes what notes refusals: a line in the log, and an audit entry where it is known who it was, in the merchant's log for a member
 * and in the operator's for a stranger. One of each session and action a minute, and of a stranger one a minute whatever it was.
 */
export function refusalNotes(runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>): NoteRefusal {
  const noted = new Map<string, number>();
  return (refusal) => {
    const { reason, what, who, scope, address, requestId } = refusal;
    const now = runtime.clock().getTime();
    const key = `${reason} ${who?.sessionId ?? address} ${scope ? `${scope.merchantId} ${scope.environment} ${what}` : ''}`;
    if (now < (noted.get(key) ?? 0)) return;
    noted.delete(key);
    noted.set(key, now + MINUTE_MS);
    if (noted.size > MOST_REMEMBERED) for (const oldest of noted.keys()) if (noted.delete(oldest)) break;
    const facts = { reason, what: what.slice(0, 200), userId: who?.userId, sessionId: who?.sessionId, ...scope, address, requestId };
    runtime.log.warn(facts, 'access refused');
    if (!who) return;
    recordEntry(runtime, {
      merchantId: scope?.merchantId ?? null,
      environment: scope?.environment ?? null,
      actor: `user:${who.email}`,
      action: 'access.refused',
      subject: who.userId,
      address,
      data: { permission: facts.what },
    }).catch((error: unknown) => runtime.log.error({ err: error, requestId }, 'a refusal could not be recorded'));
  };
}
