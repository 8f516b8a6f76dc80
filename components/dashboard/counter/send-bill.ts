import type { KeptBill } from './kept-bills';
import type { CounterBill } from './present-counter';

/** How long an answer may take. After it, nobody knows whether the bill arrived, and it is sent again. */
const ANSWER_MS = 15_000;

export interface FieldProblem {
  readonly field: 'amount' | 'reference' | 'mobile' | null;
  readonly text: string;
}

/** The answer of the data route. */
export type EnterAnswer =
  | { readonly kind: 'sent'; readonly bill: CounterBill }
  | { readonly kind: 'stale' }
  | { readonly kind: 'wrong'; readonly problems: readonly FieldProblem[] };

/** What became of a kept bill. `unknown`: no answer came. `signed_out`: the session has ended, and the bill was not created. */
export type SendResult = EnterAnswer | { readonly kind: 'unknown' | 'signed_out' };

/** Sends a kept bill. It never throws. */
export async function sendBill(address: string, { confirmedAt, sent: _, ...bill }: KeptBill): Promise<SendResult> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...bill, age: Date.now() - confirmedAt }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.status === 401) return { kind: 'signed_out' };
    if (answer.status !== 200) return { kind: 'unknown' };
    const result: EnterAnswer = await answer.json();
    return result;
  } catch {
    return { kind: 'unknown' };
  }
}
