import { doublingDelay } from '@/lib/core/backoff';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import type { Runtime } from '@/lib/runtime/runtime';
import { claimNotices, type Notice, settleNotice } from './notice-store';

const TIMEOUT_MS = 10 * SECOND_MS;
const FIRST_PAUSE_MS = 10 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
const RETRIED_FOR_MS = 24 * HOUR_MS;

export function claimDueNotices({ db, clock }: Pick<Runtime, 'db' | 'clock'>, limit: number): Promise<Notice[]> {
  return claimNotices(db, { now: clock(), dueAgain: addMs(clock(), 2 * TIMEOUT_MS), limit });
}

/** Posts a notice to OPERATOR_WEBHOOK_URL. An answer other than 2xx is retried with growing delays for a day. */
export async function sendNotice({ db, clock, log, settings }: Runtime, notice: Notice, signal: AbortSignal): Promise<void> {
  const url = settings.OPERATOR_WEBHOOK_URL;
  if (!url) return settleNotice(db, notice, { dueAt: null, error: 'OPERATOR_WEBHOOK_URL is no longer set' });
  const { status, error } = await callOnce(url, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notice.body),
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (status !== null && status >= 200 && status < 300) return settleNotice(db, notice, { dueAt: null, error: null });
  const problem = error?.detail ?? `HTTP ${status}`;
  const now = clock();
  const isLast = now.getTime() - notice.createdAt.getTime() > RETRIED_FOR_MS;
  log.warn({ notice: notice.id, error: problem, tries: notice.tries }, 'OPERATOR_WEBHOOK_URL did not accept a notice');
  const dueAt = isLast ? null : addMs(now, doublingDelay(notice.tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  await settleNotice(db, notice, { dueAt, error: problem });
}
