import { SECOND_MS } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { CODES, type Code } from './codes';
import { type Platform, pause } from './simulated-platform';
import type { Transaction } from './simulated-record';
import { type Callback, callbackReply } from './wire';

const CALLBACK_TIMEOUT_MS = 5 * SECOND_MS;

export interface Announcement {
  readonly callback: Callback;
  readonly sentAt: Date;
  readonly repliedAt: Date;
  readonly status: number | null;
  readonly reply: unknown;
  /** Whether the reply is the one that M-Pesa documents. */
  readonly asExpected: boolean;
}

interface TransactionResult {
  readonly conversationId: string;
  readonly thirdPartyConversationId: string;
  /** Null if no money moved. */
  readonly transactionId: string | null;
  readonly code: Code;
}

/** Posts a result to the Response URL. A failed post is not repeated, because M-Pesa documents no repetition. */
export async function announce(
  { clock }: Pick<Platform, 'clock'>,
  callbackUrl: string,
  { conversationId, thirdPartyConversationId, transactionId, code }: TransactionResult,
): Promise<Announcement> {
  const callback: Callback = {
    input_OriginalConversationID: conversationId,
    input_TransactionID: transactionId ?? 'N/A',
    input_ResultCode: code,
    input_ResultDesc: CODES[code].description,
    input_ThirdPartyConversationID: thirdPartyConversationId,
  };
  const sentAt = clock();
  const { status, body } = await callOnce(callbackUrl, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(callback),
    timeoutMs: CALLBACK_TIMEOUT_MS,
  });
  const repliedAt = clock();
  const reply = parseJson(body);
  const asExpected = status === 200 && JSON.stringify(reply) === JSON.stringify(callbackReply(callback));
  return { callback, sentAt, repliedAt, status, reply, asExpected };
}

/** Sends the callbacks of each step when the step is due. Resolves when all are sent, or when the simulator stops. */
export async function announceSteps(platform: Platform, transaction: Transaction): Promise<void> {
  const { conduct, announcements } = platform;
  if (conduct.mode === 'sync') return;
  await Promise.all(
    transaction.behaviour.steps.map(async (step) => {
      await pause(platform, step.afterMs);
      for (let made = 0; made < step.callbacks && conduct.callbackUrl !== null && !platform.stopping.aborted; made += 1) {
        const { conversationId, thirdPartyConversationId } = transaction;
        const transactionId = step.code === 'INS-0' ? transaction.transactionId : null;
        announcements.push(
          await announce(platform, conduct.callbackUrl, { conversationId, thirdPartyConversationId, transactionId, code: step.code }),
        );
      }
    }),
  );
}
