import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiClient } from './client';
import { pause } from './follow-events';

/** What can be triggered: the last digits of the number, which decide what the simulated phone does, and how one sees that it is done. */
export const TRIGGERS = {
  paid: { digits: '001', status: 'FULLY_PAID' },
  'part-paid': { digits: '009', status: 'PARTIALLY_PAID' },
  declined: { digits: '002', state: 'FAILED' },
  'wrong-pin': { digits: '003', state: 'FAILED' },
  'insufficient-funds': { digits: '004', state: 'FAILED' },
  'not-registered': { digits: '006', state: 'FAILED' },
  'no-answer': { digits: '005', state: 'EXPIRED' },
  'paid-late': { digits: '011', status: 'FULLY_PAID' },
} as const satisfies Readonly<Record<string, { readonly digits: string; readonly status?: string; readonly state?: string }>>;

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

interface Triggered {
  readonly bill: z.output<typeof billSchema>;
  /** Whether it happened in time. */
  readonly done: boolean;
}

/** Creates a bill in the sandbox whose simulated customer does something, and waits until it has happened. */
export async function triggerEvent(client: ApiClient, trigger: Trigger, options: TriggerOptions): Promise<Triggered> {
  const { amount, reference, withinMs } = options;
  const wanted: { digits: string; status?: string; state?: string } = TRIGGERS[trigger];
  // Different numbers, because a number gets a limited number of prompts.
  const mobile = `0754${String(randomInt(1_000)).padStart(3, '0')}${wanted.digits}`;
  const created = await client.call('bills/create', { body: { amount, reference, mobile }, idempotencyKey: randomUUID() });
  const { id } = createdSchema.parse(JSON.parse(created.text));
  const signal = AbortSignal.timeout(withinMs);
  for (;;) {
    const bill = billSchema.parse(JSON.parse((await client.call(`bills/${id}`)).text));
    const done = bill.status === wanted.status || (wanted.state !== undefined && bill.lastAttempt?.state === wanted.state);
    if (done || signal.aborted) return { bill, done };
    await pause(POLL_MS, signal);
  }
}
