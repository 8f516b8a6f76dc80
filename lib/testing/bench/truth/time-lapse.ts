import { createBill } from '@/lib/bills/create/create-bill';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { claimAttempts } from '@/lib/payments/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { workAttempt } from '@/lib/payments/attempts/work-attempt';
import { newBill } from '../../data/new-bill';
import type { Shop } from './shop';

const MINUTES = 12;
/** How long the simulated clock runs on after the last prompt, so that Bili can find out the outcomes of the last prompts. */
const REST_MINUTES = 10;
/** About this many requests are needed for a prompt without a callback: one or two to send the prompt, and status queries. */
const CALLS_PER_PROMPT = 2.5;
const CLAIMED_AT_ONCE = 50;
/** Prompts per minute if the account has no limit of requests. */
const UNLIMITED_PER_MINUTE = 30;

export interface TimeLapse {
  readonly payments: number;
  readonly callsPerMinute: number;
  /** How much later than the provider Bili knew each outcome, sorted, in milliseconds. */
  readonly lags: readonly number[];
  /** The number of prompts whose outcome Bili does not know in the end. */
  readonly open: number;
}

/** Creates prompts evenly, and works on all attempts as workers would, second by second of the simulated clock. */
export async function runTimeLapse(shop: Shop): Promise<TimeLapse> {
  const { runtime } = shop;
  const perMinute = shop.budget === null ? UNLIMITED_PER_MINUTE : shop.budget / 2 / CALLS_PER_PROMPT;
  const seconds = (MINUTES + REST_MINUTES) * 60;
  let created = 0;
  for (let second = 0; second < seconds; second += 1) {
    const due = second < MINUTES * 60 ? Math.floor(((second + 1) * perMinute) / 60) : created;
    for (; created < due; created += 1) await askForPayment(shop);
    await workOnDue(shop);
    shop.advance(SECOND_MS);
  }
  const attempts = await runtime.db.query<{ mobile: string; settled: Date | null; open: boolean; calls: number }>({
    text: `SELECT mobile, settled_at AS settled, state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') AS open,
             send_count + least(query_count, 20) AS calls FROM push_attempt`,
  });
  const lags = attempts.flatMap(({ mobile, settled }) => {
    const known = shop.endings.get(mobile.slice(-9));
    return settled && known !== undefined ? [settled.getTime() - known] : [];
  });
  return {
    payments: attempts.length,
    callsPerMinute: attempts.reduce((sum, { calls }) => sum + calls, 0) / MINUTES,
    lags: lags.toSorted((a, b) => a - b),
    open: attempts.filter(({ open }) => open).length,
  };
}

async function askForPayment({ runtime, scope, newMobile }: Shop): Promise<void> {
  const bill = newBill(runtime, { amount: 5_000, reference: 'BENCH', mobile: newMobile() });
  const created = await createBill(runtime, { scope, bill, createdBy: 'bench', uniqueReferences: false, idempotencyKey: null });
  if (!created.ok) throw new Error(created.error.code);
}

async function workOnDue({ runtime }: Shop): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const now = runtime.clock();
    const claimed = await claimAttempts(runtime.db, { now, leaseUntil: addMs(now, LEASE_MS), limit: CLAIMED_AT_ONCE });
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((attempt) => workAttempt(runtime, attempt, signal)));
  }
}
