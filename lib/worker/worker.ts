import { deleteOldLinks } from '@/lib/accounts/email-links/link-store';
import { deleteSpentCounters } from '@/lib/accounts/sign-in/throttle-store';
import { sealEntries } from '@/lib/audit/seal-entries';
import { deleteExpiredKeys } from '@/lib/bills/create/idempotency-store';
import { DRAFT_KEPT_MS } from '@/lib/bills/import/import-rules';
import { deleteDrafts } from '@/lib/bills/import/import-run-store';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { watchClock } from '@/lib/db/watch-clock';
import { deleteOldRates } from '@/lib/limits/store';
import { KEPT_MS } from '@/lib/mail/rules';
import { claimDueMails, sendMail } from '@/lib/mail/send-mail';
import { deleteSettledMails } from '@/lib/mail/store';
import { deleteSettledNotices } from '@/lib/outages/notice-store';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { applyMessage } from '@/lib/payments/callbacks/apply-message';
import { claimMessages } from '@/lib/payments/messages/unhandled-store';
import { claimRequests } from '@/lib/payments/reversals/requests/store';
import { workReversal } from '@/lib/payments/reversals/work-reversal';
import { startHeartbeat } from '@/lib/processes/start-heartbeat';
import { deleteOldHeartbeats } from '@/lib/processes/store';
import { readCallLimits } from '@/lib/providers/accounts/read-call-limits';
import { createRegistry } from '@/lib/providers/registry';
import { startSimulator } from '@/lib/providers/sandbox/simulator';
import type { Runtime } from '@/lib/runtime/runtime';
import { startAttempts } from './attempts';
import { startDeliveries } from './deliveries';
import { startNotices } from './notices';
import { startOutages } from './outages';
import { startPump } from './pump';
import { startRollups } from './rollups';

/** How often an idle worker looks for work: half of it is the median wait. */
const IDLE_MS = 150;
const STOP_GRACE_MS = 8 * SECOND_MS;
const REVERSALS_AT_ONCE = 4;
const MESSAGES_AT_ONCE = 4;
const CALLBACKS_AT_ONCE = 20;
const MAILS_AT_ONCE = 4;

export interface Worker {
  /** Finishes or aborts what is under way; an aborted push is UNKNOWN, and a status query settles it. */
  stop(): Promise<void>;
}

/** Starts the loops that do what the database says is due. Any number of workers may run. */
export async function startWorker(runtime: Runtime): Promise<Worker> {
  const { db, clock, log } = runtime;
  const simulator = await startSimulator({ ...runtime, callbackKey: runtime.secrets.key('sandbox-provider') });
  const providers = createRegistry(runtime, simulator.url);
  await readCallLimits({ ...runtime, providers });
  const clockWatch = await watchClock(runtime);
  const heartbeat = await startHeartbeat(runtime, 'worker');
  const common = { log, idleMs: IDLE_MS, graceMs: STOP_GRACE_MS, mayClaim: clockWatch.agrees };

  const pumps = [
    startAttempts({ ...runtime, providers }, common),
    startPump({
      ...common,
      name: 'reversals',
      concurrency: REVERSALS_AT_ONCE,
      idleMs: SECOND_MS,
      claim: (limit) => claimRequests(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit }),
      work: (request, signal) => workReversal({ ...runtime, providers }, request, signal),
    }),
    startPump({
      ...common,
      name: 'messages',
      concurrency: MESSAGES_AT_ONCE,
      idleMs: SECOND_MS,
      claim: (limit) => claimMessages(db, { now: clock(), limit }),
      work: (message) => applyMessage({ ...runtime, providers }, message),
    }),
    ...startDeliveries(runtime, common),
    ...startOutages({ ...runtime, providers }, common),
    startRollups(runtime, common),
    startNotices(runtime, common),
    startPump({
      ...common,
      name: 'mail',
      concurrency: MAILS_AT_ONCE,
      idleMs: SECOND_MS,
      claim: (limit) => claimDueMails(runtime, limit),
      work: (mail, signal) => sendMail(runtime, mail, signal),
    }),
    startPump({
      ...common,
      name: 'sandbox',
      concurrency: 1,
      claim: async () => ((await simulator.announceDue(CALLBACKS_AT_ONCE)) > 0 ? [null] : []),
      work: async () => undefined,
    }),
    startPump({
      ...common,
      name: 'audit',
      concurrency: 1,
      idleMs: SECOND_MS,
      claim: async () => ((await sealEntries(runtime)) ? [null] : []),
      work: async () => undefined,
    }),
    startPump({
      ...common,
      name: 'retention',
      concurrency: 1,
      idleMs: MINUTE_MS,
      claim: async () => {
        const deleted = [
          await deleteExpiredKeys(db, clock()),
          await deleteDrafts(db, addMs(clock(), -DRAFT_KEPT_MS)),
          await deleteSettledMails(db, addMs(clock(), -KEPT_MS)),
          await deleteSettledNotices(db, addMs(clock(), -KEPT_MS)),
          await deleteOldHeartbeats(db),
          await deleteSpentCounters(db, clock()),
          await deleteOldLinks(db, clock()),
          await deleteOldRates(db),
        ];
        return deleted.some((count) => count > 0) ? [null] : [];
      },
      work: async () => undefined,
    }),
  ];
  log.info('worker is running');

  return {
    async stop() {
      clockWatch.stop();
      await Promise.all(pumps.map((pump) => pump.stop()));
      await simulator.stop();
      await heartbeat.stop();
      await db.close();
      log.info('worker stopped');
      log.flush();
    },
  };
}
