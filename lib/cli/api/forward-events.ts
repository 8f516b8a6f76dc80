import { createHmac } from 'node:crypto';
import { SECOND_MS } from '@/lib/core/clock';
import { formatSecret, signatureHeaders } from '@/lib/webhooks/rules';
import { reasonOf } from './client';
import type { FollowedEvent } from './follow-events';

const TIMEOUT_MS = 15 * SECOND_MS;

/** What a receiver answered to a forwarded webhook. */
export interface Forwarded {
  readonly id: string;
  readonly bill: FollowedEvent['bill'];
  readonly ms: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly error: string | null;
}

/** Returns the secret that signs the webhooks forwarded with an API key. It never changes, so a receiver must be configured only once. */
export function forwardingSecret(apiSecret: string): string {
  return formatSecret(createHmac('sha256', apiSecret).update('bili listen').digest());
}

/** Sends an event to a receiver as a signed webhook, once. */
export async function forwardEvent(
  { id, bill, body }: FollowedEvent,
  { url, secret, now }: { readonly url: string; readonly secret: string; readonly now: Date },
): Promise<Forwarded> {
  const started = performance.now();
  const signed = signatureHeaders([secret], { id, at: now, body: Buffer.from(body) });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Bili-Webhooks/1' };
  const facts = (status: number | null, error: string | null) => ({ id, bill, status, error, ms: Math.round(performance.now() - started) });
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    return facts(answer.status, null);
  } catch (error) {
    return facts(null, reasonOf(error));
  }
}
