import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { ChargeStage } from './charge-stage';

/** How many mobile numbers are used in turn. Many are needed, because a number may get only a few prompts in ten minutes. */
const NUMBERS = 1_000_000;
const CONNECTIONS = 256;
const TIMEOUT_MS = 30_000;

/** A request to create a bill. Times are milliseconds since 1970. */
export interface SentCharge {
  /** When the request was due at the constant rate, even if it was sent later. */
  readonly dueAt: number;
  readonly answeredAt: number;
  /** Null if the answer was not 200. */
  readonly billId: string | null;
  /** The status of the answer, or the error. */
  readonly answer: string;
}

const billSchema = z.object({ id: z.string() });
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
let made = 0;

/** Creates bills at a constant rate, even if earlier requests have not been answered. */
export async function sendCharges(
  stage: Pick<ChargeStage, 'url' | 'keys'>,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<SentCharge[]> {
  const sent: Promise<SentCharge>[] = [];
  const begunAt = Date.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueAt = begunAt + (index * 1_000) / perSecond;
    const wait = dueAt - Date.now();
    if (wait > 0) await delay(wait);
    sent.push(sendCharge(stage, dueAt));
  }
  return Promise.all(sent);
}

async function sendCharge({ url, keys }: Pick<ChargeStage, 'url' | 'keys'>, dueAt: number): Promise<SentCharge> {
  const number = made;
  made += 1;
  try {
    const { statusCode, body } = await request(`${url}/api/v3/bills/create`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: keys[number % keys.length] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 5_000, reference: `CHARGE-${number}`, mobile: mobileOf(number) }),
    });
    const text = await body.text();
    const billId = statusCode === 200 ? billSchema.parse(JSON.parse(text)).id : null;
    return { dueAt, answeredAt: Date.now(), billId, answer: String(statusCode) };
  } catch (error) {
    return { dueAt, answeredAt: Date.now(), billId: null, answer: error instanceof Error ? error.message : String(error) };
  }
}

function mobileOf(number: number): string {
  return `0754${String(number % NUMBERS).padStart(6, '0')}`;
}
