import { sealEntries } from '@/lib/audit/seal-entries';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { claimDueMails, sendMail } from '@/lib/mail/send-mail';
import { claimNoticeRounds, runNoticeRound } from '@/lib/notices/run-notice-round';
import { notifyOutages } from '@/lib/outages/notify-outages';
import { claimDueProbes, probeAccount } from '@/lib/outages/probe-account';
import { claimDueNotices, sendNotice } from '@/lib/outages/send-notice';
import { rollUpDays } from '@/lib/overview/roll-up-days';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import type { WorkerRuntime } from '@/lib/payments/attempts/work-attempt';
import { applyMessage } from '@/lib/payments/callbacks/apply-message';
import { claimMessages } from '@/lib/payments/messages/unhandled-store';
import { claimRequests } from '@/lib/payments/reversals/requests/lease-store';
import { workReversal } from '@/lib/payments/reversals/work-reversal';
import { maintainEndpoints } from '@/lib/webhooks/endpoint/maintain-endpoints';
import { keepLog } from '@/lib/webhooks/log/keep-log';
import { driveRedeliveries } from '@/lib/webhooks/redeliver/drive-redelivery';
import { startAttempts } from './attempts';
import { deleteOld } from './delete-old';
import { startDeliveries } from './deliveries';
import { type Pump, type PumpSettings, startPump } from './pump';

/** What a job gets: a runtime with the providers, and the sandbox's callbacks. */
interface JobRuntime extends WorkerRuntime {
  /** Sends callbacks of the simulated provider that are due. @returns how many. */
  readonly announceDue: (limit: number) => Promise<number>;
}

/** Something that every worker does again and again. */
interface Job {
  readonly name: string;
  readonly what: string;
  /** How many at once in each worker. */
  readonly atOnce: number;
  /** The pause after nothing was found to do, milliseconds: half of it is the median wait of what comes next. */
  readonly idleMs: number;
  readonly start: (runtime: JobRuntime, settings: PumpSettings) => Pump;
}

const QUICK_MS = 150;

/** All jobs of a worker. `bili doctor --jobs` lists them. */
export const JOBS: readonly Job[] = [
  {
    name: 'attempts',
    what: 'send prompts, and ask providers what became of them',
    // Some providers hold a call until the customer has answered, up to three minutes: four accounts may have all of their 50
    // connections from one worker; with more, run more workers. A call under way holds no connection of the database, only its
    // first and last steps need one: that many claimed at once get through a pool of 10 within a second or two.
    atOnce: 300,
    idleMs: QUICK_MS,
    start: startAttempts,
  },
  {
    name: 'reversals',
    what: 'ask providers to send money back',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: (runtime, settings) =>
      startPump({
        ...settings,
        claim: (limit) => claimRequests(runtime.db, { now: runtime.clock(), leaseUntil: addMs(runtime.clock(), LEASE_MS), limit }),
        work: (request, signal) => workReversal(runtime, request, signal),
      }),
  },
  {
    name: 'messages',
    what: 'apply stored messages of providers that nobody has applied',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: (runtime, settings) =>
      startPump({
        ...settings,
        claim: (limit) => claimMessages(runtime.db, { now: runtime.clock(), limit }),
        work: (message) => applyMessage(runtime, message),
      }),
  },
  {
    name: 'deliveries',
    what: 'deliver webhooks',
    // A receiver that hangs holds one for 15 seconds.
    atOnce: 100,
    idleMs: QUICK_MS,
    start: startDeliveries,
  },
  { name: 'redeliveries', what: 'send many old webhooks again', atOnce: 1, idleMs: QUICK_MS, start: routine(driveRedeliveries) },
  { name: 'endpoints', what: 'pause and disable endpoints that fail', atOnce: 1, idleMs: SECOND_MS, start: routine(maintainEndpoints) },
  { name: 'webhook log', what: 'prepare and drop days of the log', atOnce: 1, idleMs: HOUR_MS, start: routine(keepLog) },
  {
    name: 'outages',
    what: 'notice providers that do not answer, and ask them again',
    atOnce: 20,
    idleMs: 2 * SECOND_MS,
    start: (runtime, settings) =>
      startPump({
        ...settings,
        async claim(limit) {
          await notifyOutages(runtime);
          return claimDueProbes(runtime, limit);
        },
        work: (id, signal) => probeAccount(runtime, id, signal),
      }),
  },
  {
    name: 'operator notices',
    what: 'tell the operator about outages',
    atOnce: 2,
    idleMs: 2 * SECOND_MS,
    start: (runtime, settings) =>
      startPump({
        ...settings,
        claim: (limit) => claimDueNotices(runtime, limit),
        work: (notice, signal) => sendNotice(runtime, notice, signal),
      }),
  },
  { name: 'rollups', what: 'add up the days of every merchant', atOnce: 1, idleMs: MINUTE_MS, start: routine(rollUpDays) },
  {
    name: 'notices',
    what: 'write the e-mails that merchants have chosen',
    atOnce: 2,
    idleMs: 10 * SECOND_MS,
    start: (runtime, settings) =>
      startPump({ ...settings, claim: (limit) => claimNoticeRounds(runtime, limit), work: (round) => runNoticeRound(runtime, round) }),
  },
  {
    name: 'mail',
    what: 'send e-mails',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: (runtime, settings) =>
      startPump({ ...settings, claim: (limit) => claimDueMails(runtime, limit), work: (mail, signal) => sendMail(runtime, mail, signal) }),
  },
  {
    name: 'sandbox',
    what: 'send the callbacks of the simulated provider',
    atOnce: 1,
    idleMs: QUICK_MS,
    start: again(async ({ announceDue }) => (await announceDue(20)) > 0),
  },
  { name: 'audit', what: 'seal new entries of the audit log', atOnce: 1, idleMs: SECOND_MS, start: again(sealEntries) },
  { name: 'retention', what: 'delete what is no longer needed', atOnce: 1, idleMs: MINUTE_MS, start: again(deleteOld) },
];

/** For a task that is done once in every pause. */
function routine(task: (runtime: JobRuntime) => Promise<unknown>): Job['start'] {
  return again(async (runtime) => {
    await task(runtime);
    return false;
  });
}

/** For a task that is done again at once as long as it says that there may be more. */
function again(task: (runtime: JobRuntime) => Promise<boolean>): Job['start'] {
  return (runtime, settings) =>
    startPump({ ...settings, claim: async () => ((await task(runtime)) ? [null] : []), work: async () => undefined });
}
