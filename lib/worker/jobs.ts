import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { claimDueDevices, sendPush } from '@/lib/alerts/push/send-push';
import { sealEntries } from '@/lib/audit/seal-entries';
import { closeExpired } from '@/lib/bills/page/close-expired';
import { indexSearch } from '@/lib/bills/search/index-search';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { claimDueMails, sendMail } from '@/lib/mail/send-mail';
import { claimNoticeRounds, runNoticeRound } from '@/lib/notices/run-notice-round';
import { notifyOutages } from '@/lib/outages/notify-outages';
import { claimDueProbes, probeAccount } from '@/lib/outages/probe-account';
import { claimDueNotices, sendNotice } from '@/lib/outages/send-notice';
import { rollUpDays } from '@/lib/overview/roll-up-days';
import type { WorkerRuntime } from '@/lib/payments/attempts/call-provider';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { applyMessage } from '@/lib/payments/callbacks/apply-message';
import { claimMessages } from '@/lib/payments/messages/unhandled-store';
import { claimRequests } from '@/lib/payments/reversals/requests/lease-store';
import { workReversal } from '@/lib/payments/reversals/work-reversal';
import { deleteOldPrompts } from '@/lib/providers/sandbox/delete-old';
import { deleteOldRequests } from '@/lib/requests/delete-old-requests';
import { maintainEndpoints } from '@/lib/webhooks/endpoint/maintain-endpoints';
import { maintainLog } from '@/lib/webhooks/log/maintain-log';
import { runRedeliveries } from '@/lib/webhooks/redeliver/run-redeliveries';
import { startAttempts } from './attempts';
import { checkLedger } from './check-ledger';
import { deleteOld } from './delete-old';
import { startDeliveries } from './deliveries';
import { type Pump, type PumpSettings, startPump } from './pump';

/** The runtime of a job. In addition to a worker's runtime, it can send the callbacks of the simulated provider. */
interface JobRuntime extends WorkerRuntime {
  /** Sends due callbacks of the simulated provider. Returns how many. */
  readonly announceDue: (limit: number) => Promise<number>;
}

/** A task that every worker repeats. */
interface Job {
  readonly name: string;
  readonly what: string;
  /** How many items each worker processes at once. */
  readonly atOnce: number;
  /** The pause after a claim that found fewer items than its limit, milliseconds. New work waits half of this pause on average. */
  readonly idleMs: number;
  readonly start: (runtime: JobRuntime, settings: PumpSettings) => Pump;
}

const QUICK_MS = 120;

/** All jobs of a worker. `bili doctor --jobs` lists them. */
export const JOBS: readonly Job[] = [
  {
    name: 'attempts',
    what: 'send prompts, and query the state of sent prompts',
    // Some providers hold a call until the customer has answered, up to three minutes. With 300, one worker can make 200 such calls at
    // once, for example 50 for each of four accounts, and 100 other calls. For more accounts, run more workers. A pool of 10 database
    // connections is enough, because a call uses a connection only for its first and last statements. If 300 attempts are claimed at once,
    // they all have run these statements within two seconds.
    atOnce: 300,
    idleMs: QUICK_MS,
    start: startAttempts,
  },
  {
    name: 'reversals',
    what: 'ask providers to reverse payments',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: claimAndWork(
      ({ db, clock }, limit) => claimRequests(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit }),
      workReversal,
    ),
  },
  {
    name: 'messages',
    what: 'apply stored provider messages that were not applied',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: claimAndWork(({ db, clock }, limit) => claimMessages(db, { now: clock(), limit }), applyMessage),
  },
  {
    name: 'deliveries',
    what: 'deliver webhooks',
    // A receiver that does not answer occupies one slot for 15 seconds.
    atOnce: 100,
    idleMs: QUICK_MS,
    start: startDeliveries,
  },
  {
    name: 'redeliveries',
    what: 'queue the deliveries of bulk redeliveries',
    atOnce: 1,
    idleMs: SECOND_MS / 2,
    start: oncePerPause(runRedeliveries),
  },
  {
    name: 'endpoints',
    what: 'warn merchants about failing endpoints, and disable endpoints that fail for a week',
    atOnce: 1,
    idleMs: SECOND_MS,
    start: oncePerPause(maintainEndpoints),
  },
  {
    name: 'webhook log',
    what: 'create and drop the weekly partitions of the webhook log',
    atOnce: 1,
    idleMs: HOUR_MS,
    start: oncePerPause(maintainLog),
  },
  {
    name: 'outages',
    what: 'detect providers that do not answer, and check them again',
    atOnce: 20,
    idleMs: 2 * SECOND_MS,
    start: claimAndWork(async (runtime, limit) => {
      await notifyOutages(runtime);
      return claimDueProbes(runtime, limit);
    }, probeAccount),
  },
  {
    name: 'operator notices',
    what: 'notify the operator about outages',
    atOnce: 2,
    idleMs: 2 * SECOND_MS,
    start: claimAndWork(claimDueNotices, sendNotice),
  },
  {
    name: 'expired bills',
    what: 'close bills that have expired',
    atOnce: 1,
    idleMs: SECOND_MS,
    start: repeatWhileBusy(closeExpired),
  },
  {
    name: 'search',
    what: 'write the search entries of new bills and payments',
    atOnce: 1,
    idleMs: 2 * SECOND_MS,
    start: repeatWhileBusy(indexSearch),
  },
  { name: 'rollups', what: 'calculate the daily sums of every merchant', atOnce: 1, idleMs: MINUTE_MS, start: oncePerPause(rollUpDays) },
  {
    name: 'notices',
    what: 'write the notification e-mails that merchants have chosen',
    atOnce: 2,
    idleMs: 10 * SECOND_MS,
    start: claimAndWork(claimNoticeRounds, runNoticeRound),
  },
  {
    name: 'push',
    what: "notify members' devices of new events",
    atOnce: 10,
    idleMs: SECOND_MS,
    start: claimAndWork(claimDueDevices, sendPush),
  },
  {
    name: 'mail',
    what: 'send e-mails',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: claimAndWork(claimDueMails, sendMail),
  },
  {
    name: 'sandbox',
    what: 'send the callbacks of the simulated provider',
    atOnce: 1,
    idleMs: QUICK_MS,
    start: repeatWhileBusy(async ({ announceDue }) => (await announceDue(20)) > 0),
  },
  {
    name: 'sandbox retention',
    what: 'delete old prompts of the simulated provider',
    atOnce: 1,
    idleMs: HOUR_MS,
    start: repeatWhileBusy(deleteOldPrompts),
  },
  { name: 'audit', what: 'seal new entries of the audit log', atOnce: 1, idleMs: SECOND_MS, start: repeatWhileBusy(sealEntries) },
  {
    name: 'ledger',
    what: 'check the sums of the ledger and the newest entries of the audit log, shared by all workers',
    atOnce: 1,
    idleMs: 10 * SECOND_MS,
    start: repeatWhileBusy(checkLedger),
  },
  {
    name: 'request log',
    what: 'delete old requests from the request log',
    atOnce: 1,
    idleMs: MINUTE_MS,
    start: oncePerPause(byOneWorker('request log', 5 * MINUTE_MS, deleteOldRequests)),
  },
  { name: 'retention', what: 'delete expired data', atOnce: 1, idleMs: MINUTE_MS, start: repeatWhileBusy(deleteOld) },
];

/** Returns the start function of a job that claims due items and works on them. */
function claimAndWork<Item>(
  claim: (runtime: JobRuntime, limit: number) => Promise<Item[]>,
  work: (runtime: JobRuntime, item: Item, signal: AbortSignal) => Promise<void>,
): Job['start'] {
  return (runtime, settings) =>
    startPump({ ...settings, claim: (limit) => claim(runtime, limit), work: (item, signal) => work(runtime, item, signal) });
}

/** Returns the start function of a job whose task runs once, and then waits for `idleMs`. */
function oncePerPause(task: (runtime: JobRuntime) => Promise<unknown>): Job['start'] {
  return repeatWhileBusy(async (runtime) => {
    await task(runtime);
    return false;
  });
}

/**
 * Returns a task that only one of all workers runs, once in `everyMs`: the first that comes. If the task fails or the worker is killed, a
 * worker runs it again after `everyMs`. Use it for work that costs much and that is not claimed row by row.
 */
export function byOneWorker<Value>(name: string, everyMs: number, task: (runtime: JobRuntime) => Promise<Value>) {
  const counter = { key: `job/${name}`, windows: [{ attempts: 1, seconds: everyMs / SECOND_MS }] };
  return async (runtime: JobRuntime): Promise<Value | null> => ((await countAttempt(runtime, [counter])) === null ? task(runtime) : null);
}

/** Returns the start function of a job. If the task of the job returns true, there may be more to do, so the task runs again at once. */
function repeatWhileBusy(task: (runtime: JobRuntime) => Promise<boolean>): Job['start'] {
  return claimAndWork(
    async (runtime) => ((await task(runtime)) ? [null] : []),
    async () => undefined,
  );
}
