import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import type { Runtime } from '@/lib/runtime/runtime';
import { receiverRules } from '@/lib/webhooks/rules';
import { listAlertRows } from '../alert-store';
import { readerOf } from '../reader-rules';
import { decidePush, nextLook } from './push-rules';
import { claimDevices, type DueDevice, deleteDevice, settleDevice } from './subscription-store';
import { pushHeaders } from './vapid';

/** The lease of a worker lasts longer than a call ever takes. */
const LEASE_MS = 2 * MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'settings' | 'secrets' | 'log'>;

/** Claims devices for which it is time to check for news. Any number of workers may call this. */
export async function claimDueDevices({ db, clock }: Needs, limit: number): Promise<DueDevice[]> {
  const now = clock();
  return claimDevices(db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
}

/**
 * Sends a push to a device if something happened since the last push. The push has no content, so the push service learns nothing. When the
 * browser gets the push, it requests the news from Bili with the member's session. If a push is sent twice after a crash, the browser shows
 * the same news again.
 */
export async function sendPush(runtime: Needs, device: DueDevice, signal: AbortSignal): Promise<void> {
  const { db, clock, settings, log } = runtime;
  if (device.signedOut) return deleteDevice(db, device);
  const now = clock();
  const { endpoint, failures, notifiedUntil, role, userId, environment } = device;
  const since = addMs(notifiedUntil, 1);
  const [newest] = await listAlertRows(db, device, { reader: readerOf(role, userId), now, since, before: null, limit: 1 });
  if (!newest) return settleDevice(db, device, { dueAt: nextLook(now), failures });
  const headers = pushHeaders(runtime, { endpoint, now });
  const vet = { rules: receiverRules(settings, environment) };
  const { status, error } = await callOnce(endpoint, { headers, timeoutMs: TIMEOUT_MS, signal, vet });
  const decision = decidePush(status, failures, clock());
  if (decision.kind === 'delivered') return settleDevice(db, device, { dueAt: decision.dueAt, failures: 0, notifiedUntil: newest.at });
  log.info({ service: new URL(endpoint).hostname, status, error: error?.kind, decision: decision.kind }, 'a push was refused');
  if (decision.kind === 'remove') return deleteDevice(db, device);
  await settleDevice(db, device, { dueAt: decision.dueAt, failures: failures + 1 });
}
