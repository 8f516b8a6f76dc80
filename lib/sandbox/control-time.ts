import { type Access, type AccessRefusal, authorize, type KeyAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import type { SandboxTime } from './time-schema';
import { findDelay, moveBills, movePrompts, moveWebhooks, setDelay } from './time-store';
import { oldestPrompt } from './upcoming-store';

interface TimeChange {
  /** By how many seconds all future events of the sandbox come sooner; null to move nothing. */
  readonly advanceSeconds: number | null;
  /** Null to keep the delays. */
  readonly delayPercent: number | null;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Controls the time of a merchant's sandbox. The clock itself does not move. Instead, the due times of future events become earlier, and
 * the workers find them when they look for due work. Each kind of event is moved in a statement of its own, so that no other transaction
 * waits for two of these statements.
 */
export async function controlTime(
  runtime: Needs,
  access: Access | KeyAccess,
  { advanceSeconds, delayPercent }: TimeChange,
): Promise<Result<SandboxTime, AccessRefusal | 'live'>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  if (delayPercent !== null) await changeDelay(runtime, access, delayPercent);
  const moved = advanceSeconds === null ? { bills: 0, paymentRequests: 0, webhooks: 0 } : await advance(runtime, access, advanceSeconds);
  return ok({ delayPercent: await findDelay(runtime.db, access.scope), moved });
}

async function changeDelay(runtime: Needs, { scope, actor }: Access | KeyAccess, delayPercent: number): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const before = await findDelay(tx, scope);
    if (before === delayPercent) return;
    await setDelay(tx, scope, delayPercent);
    const data = { before: { delayPercent: before }, after: { delayPercent } };
    await recordEntry(runtime, { ...scope, actor, action: 'sandbox.delay_changed', subject: scope.merchantId, data }, tx);
  });
}

/** The entry is written with the first kind, so that a crash between two kinds leaves no change without an entry. */
async function advance(runtime: Needs, { scope, actor }: Access | KeyAccess, seconds: number): Promise<SandboxTime['moved']> {
  const { db, clock } = runtime;
  const now = clock();
  const bills = await db.transaction(async (tx) => {
    const data = { advanceSeconds: seconds };
    await recordEntry(runtime, { ...scope, actor, action: 'sandbox.time_advanced', subject: scope.merchantId, data }, tx);
    return moveBills(tx, scope, seconds);
  });
  return {
    bills,
    paymentRequests: await movePrompts(db, scope, { oldest: oldestPrompt(now), now, seconds }),
    webhooks: await moveWebhooks(db, scope, seconds),
  };
}
