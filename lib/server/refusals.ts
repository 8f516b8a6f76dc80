import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';

/** Maximum number of refusals to remember. The oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;

/** An action that was refused. */
export interface Refusal {
  readonly reason: 'role' | 'second_factor' | 'stranger' | 'foreign_page';
  /** The permission or page that was refused. */
  readonly what: string;
  /** Null for a request from a foreign page, whose session is not read. */
  readonly who: { readonly sessionId: string; readonly userId: string; readonly email: string } | null;
  /** The merchant and environment. Null for a person who is no member of the merchant: they must not be able to fill its audit log. */
  readonly scope: Scope | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export type RecordRefusal = (refusal: Refusal) => void;

/**
 * Creates a function that logs that somebody was refused access or an action. If the person is known, the function also writes an audit entry: to the merchant's audit log for a
 * member, and to the operator's audit log for anybody else.
 *
 * To limit the entries, the function ignores a refusal that repeats a refusal of the last minute. A refusal of a member repeats another if
 * session, reason and action are the same. A refusal of anybody else repeats another if session (or address) and reason are the same.
 */
export function createRefusalRecorder(runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>): RecordRefusal {
  const recorded = new Map<string, number>();
  return (refusal) => {
    const { reason, what, who, scope, address, requestId } = refusal;
    const now = runtime.clock().getTime();
    const key = `${reason} ${who?.sessionId ?? address} ${scope ? `${scope.merchantId} ${scope.environment} ${what}` : ''}`;
    if (now < (recorded.get(key) ?? 0)) return;
    recorded.delete(key);
    recorded.set(key, now + MINUTE_MS);
    if (recorded.size > MOST_REMEMBERED) for (const oldest of recorded.keys()) if (recorded.delete(oldest)) break;
    const facts = { reason, what: what.slice(0, 200), userId: who?.userId, sessionId: who?.sessionId, ...scope, address, requestId };
    runtime.log.warn(facts, 'access refused');
    if (!who) return;
    recordEntry(runtime, {
      merchantId: scope?.merchantId ?? null,
      environment: scope?.environment ?? null,
      actor: userActor(who, address),
      action: 'access.refused',
      subject: who.userId,
      data: { permission: facts.what },
    }).catch((error: unknown) => runtime.log.error({ err: error, requestId }, 'a refusal could not be recorded'));
  };
}
