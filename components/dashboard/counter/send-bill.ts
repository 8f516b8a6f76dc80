import { CLOCK_TOLERANCE_MS } from '@/lib/backoffice/counter/counter-rules';
import type { KeptBill } from './kept-bills';
import type { CounterBill } from './present-counter';

/** How long an answer may take. Without an answer in this time, it is unknown whether the request arrived. */
const ANSWER_MS = 15_000;

export interface FieldProblem {
  readonly field: 'amount' | 'reference' | 'mobile' | null;
  readonly text: string;
}

/** The answer of the data route. `now` is the time of the server's clock, in milliseconds since 1970. */
export type EnterAnswer =
  | { readonly kind: 'sent'; readonly bill: CounterBill }
  | { readonly kind: 'stale'; readonly now: number }
  | { readonly kind: 'wrong'; readonly problems: readonly FieldProblem[] };

/**
 * The result of sending a kept bill. `unknown`: no usable answer came. `signed_out`: the session has ended, so the request created no bill.
 */
export type SendResult = EnterAnswer | { readonly kind: 'unknown' | 'signed_out' };

/** How far the server's clock is ahead of this device's, in milliseconds. Null until the server has sent its time. */
let ahead: number | null = null;

/**
 * Sends a kept bill, and never throws. If the bill was confirmed too long ago, the server refuses it as stale and answers with the server's
 * time. The device then computes again how far the server's clock is ahead of its own clock. If this difference was unknown before, or was
 * wrong, the device sends the bill once more, with `confirmedAt` in the server's time.
 */
export async function sendBill(address: string, bill: KeptBill): Promise<SendResult> {
  const result = await sendOnce(address, bill);
  if (result.kind !== 'stale') return result;
  const before = ahead;
  ahead = result.now - Date.now();
  const wasWrong = before === null || Math.abs(ahead - before) > CLOCK_TOLERANCE_MS;
  return wasWrong ? sendOnce(address, bill) : result;
}

async function sendOnce(address: string, { id, amount, reference, mobile, prompt, confirmedAt }: KeptBill): Promise<SendResult> {
  const byServer = ahead === null ? null : confirmedAt + ahead;
  const answer = await postJson<EnterAnswer>(address, { id, amount, reference, mobile, prompt, confirmedAt: byServer });
  return answer === null || answer === 'signed_out' ? { kind: answer ?? 'unknown' } : answer;
}

/** Sends JSON to a data route of the counter. Returns null if no usable answer came. */
export async function postJson<Answer>(address: string, body: unknown): Promise<Answer | 'signed_out' | null> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.status === 401) return 'signed_out';
    if (answer.status !== 200) return null;
    const result: Answer = await answer.json();
    return result;
  } catch {
    return null;
  }
}
