import { claimDueDevices, sendPush } from '@/lib/backoffice/alerts/push/send-push';
import { closeExpired } from '@/lib/backoffice/bill-page/close-bill';
import { maintainLog } from '@/lib/backoffice/delivery-log/maintain-log';
import { deleteOldLinks } from '@/lib/backoffice/email-links/link-store';
import { DRAFT_RETENTION_MS } from '@/lib/backoffice/import/import-rules';
import { deleteDrafts } from '@/lib/backoffice/import/import-store';
import { claimNoticeRounds, runNoticeRound } from '@/lib/backoffice/notices/run-notice-round';
import { rollUpDays } from '@/lib/backoffice/overview/roll-up-days';
import { forgetOld } from '@/lib/backoffice/personal-data/forget-old';
import { deleteOldRequests } from '@/lib/backoffice/requests/delete-old-requests';
import { indexSearch } from '@/lib/backoffice/search/index-search';
import { deleteOldHeartbeats } from '@/lib/entry/processes/store';
import type { WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { type ClaimedAttempt, claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { deleteExpiredKeys } from '@/lib/gateway/bills/create/create-bill';
import { applyMessage } from '@/lib/gateway/callbacks/apply-message';
import { issueForNewBills } from '@/lib/gateway/instruments/issue-for-new-bills';
import { claimInstruments } from '@/lib/gateway/instruments/store';
import { workInstrument } from '@/lib/gateway/instruments/work-instrument';
import { claimMessages } from '@/lib/gateway/messages/message-store';
import { claimDueNotices, notifyOutages, sendNotice } from '@/lib/gateway/outages/notify-outages';
import { claimDueProbes, probeAccount } from '@/lib/gateway/outages/probe-account';
import { NOTICE_RETENTION_MS } from '@/lib/gateway/outages/rules';
import { claimRefunds } from '@/lib/gateway/refund-states/store';
import { workRefund } from '@/lib/gateway/refunds/work-refund';
import { deliverWebhook, deliveryLease, settleDeliveries } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/gateway/webhooks/delivery-store';
import { maintainEndpoints } from '@/lib/gateway/webhooks/endpoint/maintain-endpoints';
import { runRedeliveries } from '@/lib/gateway/webhooks/redeliver/run-redeliveries';
import { countAttempt, deleteSpentCounters } from '@/lib/identity/accounts/sign-in/throttle-store';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { deleteOldRates } from '@/lib/identity/limits/store';
import { shopMark } from '@/lib/identity/merchants/brand-rules';
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { MAIL_RETENTION_MS } from '@/lib/platform/mail/rules';
import { claimDueMails, sendMail } from '@/lib/platform/mail/send-mail';
import { deleteSettledMails } from '@/lib/platform/mail/store';
import { KeptConnections } from '@/lib/platform/outbound/kept-connections';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { deleteOldPrompts } from '@/lib/providers/sandbox/store';
import { checkLedger } from './check-ledger';
import { claimGap, inBatches, type Pump, type PumpSettings, startPump } from './pump';

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
  /**
   * Whether the job runs while the copy of the database is on hold. It must send nothing and delete nothing, and must queue nothing that is sent
   * later, except webhooks about money that a provider has reported. By default, jobs are held.
   */
  readonly inHold?: true;
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
    name: 'refunds',
    what: 'ask providers to give money back',
    atOnce: 4,
    idleMs: SECOND_MS,
    start: claimAndWork(
      ({ db, clock }, limit) => claimRefunds(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit }),
      workRefund,
    ),
  },
  {
    name: 'instruments',
    what: 'issue payment instruments, query their payments, and end them with their bills',
    atOnce: 20,
    idleMs: SECOND_MS / 2,
    start: claimAndWork(
      ({ db, clock }, limit) => claimInstruments(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit }),
      workInstrument,
    ),
  },
  {
    name: 'new bills',
    what: 'ask for the payment instruments of new bills, for merchants that have switched that on',
    atOnce: 1,
    idleMs: SECOND_MS,
    start: repeatWhileBusy(issueForNewBills),
  },
  {
    name: 'messages',
    what: 'apply stored provider messages that were not applied',
    atOnce: 4,
    idleMs: SECOND_MS,
    inHold: true,
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
    inHold: true,
    start: repeatWhileBusy(indexSearch),
  },
  {
    name: 'rollups',
    what: 'calculate the daily sums of every merchant',
    atOnce: 1,
    idleMs: MINUTE_MS,
    inHold: true,
    start: oncePerPause(rollUpDays),
  },
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
    start: claimAndWork(claimDueMails, (runtime, mail, signal) => sendMail(runtime, mail, signal, shopMark)),
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
  {
    name: 'audit',
    what: 'seal new entries of the audit log',
    atOnce: 1,
    idleMs: SECOND_MS,
    inHold: true,
    start: repeatWhileBusy(sealEntries),
  },
  {
    name: 'ledger',
    what: 'check the sums of the ledger and the newest entries of the audit log, shared by all workers',
    atOnce: 1,
    idleMs: 10 * SECOND_MS,
    inHold: true,
    start: repeatWhileBusy(checkLedger),
  },
  {
    name: 'request log',
    what: 'delete old requests from the request log',
    atOnce: 1,
    idleMs: MINUTE_MS,
    start: oncePerPause(byOneWorker('request log', 5 * MINUTE_MS, deleteOldRequests)),
  },
  {
    name: 'forget',
    what: 'forget customers and devices after their periods, shared by all workers',
    atOnce: 1,
    idleMs: 10 * MINUTE_MS,
    start: repeatWhileBusy(forgetOld),
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

/**
 * Maximum number of calls at once in one worker that are retries or go to failing endpoints. The other slots are reserved for first
 * attempts to healthy endpoints.
 */
const RETRIES_AT_ONCE = 50;

/** Starts the pump that delivers webhooks. */
export function startDeliveries(runtime: Runtime, settings: PumpSettings): Pump {
  const { db, clock } = runtime;
  const settle = inBatches((sent: Parameters<typeof settleDeliveries>[1]) => settleDeliveries(runtime, sent));
  const connections = new KeptConnections();
  let retries = 0;

  const claim = (limit: number) =>
    claimDeliveries(db, { now: clock(), leaseUntil: deliveryLease(clock()), limit, retryLimit: RETRIES_AT_ONCE - retries });

  async function deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    if (!delivery.fresh) retries += 1;
    try {
      await deliverWebhook(runtime, delivery, { settle, signal, connections });
    } finally {
      if (!delivery.fresh) retries -= 1;
    }
  }

  const pump = startPump({ ...settings, gapMs: claimGap, claim, work: deliver });
  return {
    async stop() {
      await pump.stop();
      connections.close();
    },
  };
}

/**
 * The maximum number of crowded attempts that one worker works on at once. An attempt is crowded if its account already has five calls in
 * progress. The limit leaves slots for less busy accounts.
 */
const CROWDED_AT_ONCE = 200;

interface AttemptsSettings extends PumpSettings {
  /** Replaces CROWDED_AT_ONCE. Set by tests only. */
  readonly crowdedAtOnce?: number;
}

/** Starts the pump that sends prompts and queries their outcome. */
export function startAttempts(runtime: WorkerRuntime, { crowdedAtOnce = CROWDED_AT_ONCE, ...settings }: AttemptsSettings): Pump {
  const { db, clock } = runtime;
  let crowded = 0;

  async function work(attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
    if (attempt.crowded) crowded += 1;
    try {
      await workAttempt(runtime, attempt, signal);
    } finally {
      if (attempt.crowded) crowded -= 1;
    }
  }

  return startPump({
    ...settings,
    gapMs: claimGap,
    claim: (limit) =>
      claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit, crowdedLimit: crowdedAtOnce - crowded }),
    work,
  });
}

/** Deletes a batch of expired data. Returns whether there may be more. */
async function deleteOld({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  const now = clock();
  const deleted = [
    await deleteExpiredKeys(db, now),
    await deleteDrafts(db, addMs(now, -DRAFT_RETENTION_MS)),
    await deleteSettledMails(db, addMs(now, -MAIL_RETENTION_MS)),
    (await db.prisma.operatorNotice.deleteMany({ where: { dueAt: null, createdAt: { lt: addMs(now, -NOTICE_RETENTION_MS) } } })).count,
    await deleteOldHeartbeats(db),
    await deleteSpentCounters(db, now),
    await deleteOldLinks(db, now),
    await deleteOldRates(db),
  ];
  return deleted.some((count) => count > 0);
}
