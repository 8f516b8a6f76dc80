import { SECOND_MS } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import { parseJson } from '../raw-answer';
import type { Code } from './codes';
import { CODES } from './codes';
import { type Callback, callbackReply } from './wire';

const CALLBACK_TIMEOUT_MS = 5 * SECOND_MS;

/** A callback that was made, and what it was answered. */
export interface Announcement {
  readonly callback: Callback;
  readonly status: number | null;
  readonly reply: unknown;
  /** The reply is the one that the platform documents. */
  readonly asExpected: boolean;
}

interface Told {
  readonly conversationId: string;
  readonly thirdPartyConversationId: string;
  /** Null when no money moved. */
  readonly transactionId: string | null;
  readonly code: Code;
}

/** Posts a result to the Response URL, once: no redelivery is documented. */
export async function announce(
  callbackUrl: string,
  { conversationId, thirdPartyConversationId, transactionId, code }: Told,
): Promise<Announcement> {
  const callback: Callback = {
    input_OriginalConversationID: conversationId,
    input_TransactionID: transactionId ?? 'N/A',
    input_ResultCode: code,
    input_ResultDesc: CODES[code].description,
    input_ThirdPartyConversationID: thirdPartyConversationId,
  };
  const { status, body } = await callOnce(callbackUrl, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(callback),
    timeoutMs: CALLBACK_TIMEOUT_MS,
  });
  const reply = parseJson(body);
  return { callback, status, reply, asExpected: status === 200 && JSON.stringify(reply) === JSON.stringify(callbackReply(callback)) };
}
