import { recordEntry } from '@/lib/identity/audit/record-entry';
import { userActor } from '@/lib/platform/core/actor';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import { type CallbackRefusal, recorder } from '@/lib/platform/metrics/recorder';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { NEUTRAL_PROVIDER } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { HeaderReader } from './request-facts';

/** Maximum number of refusals to remember. The oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;
const WHAT_MAX = 200;
const MESSAGES: Readonly<Partial<Record<Refusal['reason'], string>>> = {
  foreign_page: 'a form was refused, because its Origin is not its Host; if one of your own pages sent it, let the proxy pass Host on',
  unknown_callback: 'a callback came to an address that no account has; check the callback address at the provider',
};

/** An action that was refused. */
export interface Refusal {
  readonly reason: 'role' | 'second_factor' | 'stranger' | 'foreign_page' | 'unknown_callback';
  /** The permission, page or address that was refused. */
  readonly what: string;
  /** Null for a request from a foreign page, whose session is not read, and for a callback. */
  readonly who: { readonly sessionId: string; readonly userId: string; readonly email: string } | null;
  /** The merchant and environment. Null for a person who is no member of the merchant: they must not be able to fill its audit log. */
  readonly scope: Scope | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** How many requests this process has refused for one reason, and the last of them. `bili doctor` shows them. */
export class RefusalCount {
  count = 0;
  last: { readonly at: Date; readonly text: string } | null = null;

  add(at: Date, text: string): void {
    this.count += 1;
    this.last = { at, text };
  }
}

/** What `bili doctor` shows of the refusals of a web process. */
interface RefusalCounts {
  /** Forms that did not come from one of our own pages. */
  readonly foreignForms: RefusalCount;
  /** Callbacks to an address that no provider account has. */
  readonly unknownCallbacks: RefusalCount;
}

/** The runtime of a request that is refused: what counts and logs it. */
export interface RefusingRuntime extends Pick<Runtime, 'clock'>, RefusalCounts {
  /** Logs a refused action. */
  readonly recordRefusal: RecordRefusal;
  readonly addressOf: (headers: HeaderReader) => string | null;
}

/** Counts and logs a form that did not come from one of our own pages. */
export function refuseForeignForm({ foreignForms, recordRefusal, addressOf, clock }: RefusingRuntime, headers: HeaderReader): void {
  const origin = headers.get('origin');
  const what = `Origin ${origin ?? 'missing'}, Host ${headers.get('host') ?? 'missing'}`.slice(0, WHAT_MAX);
  // A request without Origin comes from a program or a very old browser, not from a proxy with a wrong setting.
  if (origin !== null) foreignForms.add(clock(), what);
  recordRefusal({
    reason: 'foreign_page',
    what,
    who: null,
    scope: null,
    address: addressOf(headers),
    requestId: headers.get('x-request-id'),
  });
}

/** Counts and logs a callback to an address that no account has. The address is not logged, because it may contain the token of an account. */
export function refuseCallback(
  { unknownCallbacks, recordRefusal, addressOf, clock, providers }: RefusingRuntime & { readonly providers: ProviderRegistry },
  headers: HeaderReader,
  { provider, reason, requestId }: { readonly provider: string; readonly reason: CallbackRefusal; readonly requestId: string },
): void {
  // Everybody can write any name into the address, and each name would be a series of the metric.
  const name = provider === NEUTRAL_PROVIDER || providers.find(provider) ? provider : 'unknown';
  const what = `provider ${name}, ${reason}`;
  recorder()?.callbackRefused(name, reason);
  unknownCallbacks.add(clock(), what);
  recordRefusal({ reason: 'unknown_callback', what, who: null, scope: null, address: addressOf(headers), requestId });
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
    runtime.log.warn(facts, MESSAGES[reason] ?? 'access refused');
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
