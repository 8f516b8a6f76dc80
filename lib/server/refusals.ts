import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import type { HeaderReader } from '@/lib/http/request-facts';
import type { Runtime } from '@/lib/runtime/runtime';
import type { WebRuntime } from './web-runtime';

/** Maximum number of refusals to remember. The oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;
const WHAT_MAX = 200;
const FOREIGN_FORM = 'a form was refused, because its Origin is not its Host; if one of your own pages sent it, let the proxy pass Host on';

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

/** The forms that this process refused because they did not come from one of our own pages. `bili doctor` shows them. */
export class ForeignForms {
  count = 0;
  last: { readonly at: Date; readonly text: string } | null = null;
}

/** Counts and logs a form that did not come from one of our own pages. */
export function refuseForeignForm(
  { foreignForms, recordRefusal, addressOf, clock }: Pick<WebRuntime, 'foreignForms' | 'recordRefusal' | 'addressOf' | 'clock'>,
  headers: HeaderReader,
): void {
  const origin = headers.get('origin');
  const what = `Origin ${origin ?? 'missing'}, Host ${headers.get('host') ?? 'missing'}`.slice(0, WHAT_MAX);
  // A request without Origin comes from a program or a very old browser, not from a proxy with a wrong setting.
  if (origin !== null) {
    foreignForms.count += 1;
    foreignForms.last = { at: clock(), text: what };
  }
  recordRefusal({
    reason: 'foreign_page',
    what,
    who: null,
    scope: null,
    address: addressOf(headers),
    requestId: headers.get('x-request-id'),
  });
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
    const facts = { reason, what: what.slice(0, WHAT_MAX), userId: who?.userId, sessionId: who?.sessionId, ...scope, address, requestId };
    runtime.log.warn(facts, reason === 'foreign_page' ? FOREIGN_FORM : 'access refused');
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
