import { type Access, type AccessRefusal, authorize, type KeyAccess } from '@/lib/accounts/access/grant-access';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { SandboxTime } from './time-schema';
import { findDelayFactors, moveBills, movePrompts, moveWebhooks, setDelay } from './time-store';

/** Longer than any simulated phone takes. */
const PROMPTS_MS = 10 * MINUTE_MS;

interface TimeChange {
  /** How much sooner everything happens that is still to come; null to move nothing. */
  readonly advanceSeconds: number | null;
  /** Null to keep the delays. */
  readonly delayPercent: number | null;
}

/**
 * Controls the time of a merchant's sandbox. The clock itself does not move: what is still to come comes nearer, so it happens as soon as
 * the workers look for due work. Each kind is moved in a statement of its own, so that no other transaction waits for two of them.
 */
export async function controlTime(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: Access | KeyAccess,
  { advanceSeconds, delayPercent }: TimeChange,
): Promise<Result<SandboxTime, AccessRefusal | 'live'>> {
  const refusal = authorize(access, 'bills.create');
  if (refusal) return fail(refusal);
  const { scope } = access;
  if (scope.environment === 'live') return fail('live');
  if (delayPercent !== null) await setDelay(db, scope, delayPercent);
  const seconds = advanceSeconds ?? 0;
  const now = clock();
  const oldest = lowestId(addMs(now, -PROMPTS_MS).getTime());
  const moved =
    seconds === 0
      ? { bills: 0, paymentRequests: 0, webhooks: 0 }
      : {
          bills: await moveBills(db, scope, seconds),
          paymentRequests: await movePrompts(db, scope, { oldest, now, seconds }),
          webhooks: await moveWebhooks(db, scope, seconds),
        };
  const factor = (await findDelayFactors(db, [scope.merchantId])).get(scope.merchantId) ?? 1;
  return ok({ delayPercent: Math.round(factor * 100), moved });
}
