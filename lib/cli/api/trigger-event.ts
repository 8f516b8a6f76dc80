import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PaymentScenario } from '@/lib/providers/scenarios/scenarios';
import type { ApiClient } from './client';
import { pause } from './follow-events';

/**
 * The scenarios of the sandbox that can be triggered. A scenario has ended when the bill's last attempt has the state `state`, or when the
 * bill has had the `statuses` in this order.
 */
export const TRIGGERS = {
  paid: { statuses: ['FULLY_PAID'] },
  'part-paid': { statuses: ['PARTIALLY_PAID'] },
  declined: { state: 'FAILED' },
  'wrong-pin': { state: 'FAILED' },
  'insufficient-funds': { state: 'FAILED' },
  'not-registered': { state: 'FAILED' },
  'no-answer': { state: 'EXPIRED' },
  'paid-late': { statuses: ['FULLY_PAID'] },
  reversed: { statuses: ['FULLY_PAID', 'NOT_PAID'] },
} as const satisfies Readonly<Partial<Record<PaymentScenario, Wanted>>>;

interface Wanted {
  readonly statuses?: readonly string[];
  readonly state?: string;
}

export type Trigger = keyof typeof TRIGGERS;

const POLL_MS = 300;
const createdSchema = z.object({ id: z.string() });
const billSchema = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.string(),
  lastAttempt: z.object({ state: z.string(), reason: z.string().nullable() }).nullable(),
});

interface TriggerOptions {
  readonly amount: number;
  readonly reference: string;
  readonly withinMs: number;
}

/** Creates a bill with a scenario in the sandbox, and waits until the scenario has ended. `done`: whether it ended in time. */
export async function triggerEvent(client: ApiClient, trigger: Trigger, options: TriggerOptions) {
  const { amount, reference, withinMs } = options;
  const { statuses = [], state }: Wanted = TRIGGERS[trigger];
  // The mobile number is random, because Bili limits how many prompts one mobile number gets.
  const mobile = `0754${String(randomInt(1_000_000)).padStart(6, '0')}`;
  const created = await client.call('bills/create', {
    body: { amount, reference, mobile },
    idempotencyKey: randomUUID(),
    scenario: trigger,
  });
  const { id } = createdSchema.parse(JSON.parse(created.text));
  const signal = AbortSignal.timeout(withinMs);
  let seen = 0;
  for (;;) {
    const bill = billSchema.parse(JSON.parse((await client.call(`bills/${id}`)).text));
    if (bill.status === statuses[seen]) seen += 1;
    const done = state === undefined ? seen === statuses.length : bill.lastAttempt?.state === state;
    if (done || signal.aborted) return { bill, done };
    await pause(POLL_MS, signal);
  }
}
