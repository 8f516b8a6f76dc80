import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, machineSeconds } from '../cpu-time';
import type { ChargeStage } from './charge-stage';
import { backlogAt, type Charge, type Spread, spreads } from './charge-times';
import { providerReportSchema, receiverReportSchema } from './messages';
import { type SentCharge, sendCharges } from './send-charges';

/** The first seconds are not counted: customers of the first charges have not answered yet. */
const WARM_UP_SECONDS = 5;
/** After the last request, all webhooks must arrive within this time. It is long, so that the next rate starts without a backlog. */
const DRAIN_MS = 180_000;

export interface RateResult {
  readonly perSecond: number;
  /** The counted time: it starts after the warm-up. */
  readonly seconds: number;
  /** Webhooks per second during the counted time. */
  readonly achieved: number;
  readonly stages: readonly Spread[];
  /** Processor time per charge, milliseconds. */
  readonly cpu: Readonly<Record<string, number>>;
  /** The average number of busy processors of the whole machine. */
  readonly machineBusy: number;
  /** Charges that waited for Bili in the middle and at the end of the counted time. */
  readonly backlog: { readonly middle: number; readonly end: number };
  /** Requests without status 200. */
  readonly refused: number;
  /** Bills without a webhook. */
  readonly missing: number;
  readonly sustained: boolean;
}

/** Sends charges at a constant rate, and waits until all their webhooks have arrived. */
export async function runRate(stage: ChargeStage, perSecond: number, seconds: number): Promise<RateResult> {
  const begunAt = Date.now();
  const [from, to] = [begunAt + WARM_UP_SECONDS * 1_000, begunAt + (WARM_UP_SECONDS + seconds) * 1_000];
  const sending = sendCharges(stage, { perSecond, seconds: WARM_UP_SECONDS + seconds });
  await delay(from - Date.now());
  const before = readCpu(stage);
  await delay(to - Date.now());
  const after = readCpu(stage);
  const sent = await sending;

  const { charges, wrong } = await collect(stage, sent, begunAt);
  const complete = charges.filter(({ webhookAt }) => Number.isFinite(webhookAt));
  const counted = complete.filter(({ dueAt }) => dueAt >= from);
  const arrived = complete.filter(({ webhookAt }) => webhookAt >= from && webhookAt < to).length;
  const achieved = arrived / seconds;
  const backlog = { middle: backlogAt(charges, (from + to) / 2), end: backlogAt(charges, to) };
  const refused = sent.filter(({ billId }) => billId === null).length;
  const missing = charges.length - complete.length;
  const cpu = Object.fromEntries(
    after.cpu.map(([name, used], index) => [name, ((used - (before.cpu[index]?.[1] ?? 0)) * 1_000) / arrived]),
  );
  return {
    perSecond,
    seconds,
    achieved,
    stages: spreads(counted),
    cpu,
    machineBusy: (after.machine - before.machine) / seconds,
    backlog,
    refused,
    missing,
    // The backlog must not keep growing. At the end of the counted time, there are two upper limits: the charges of one second, and twice
    // the backlog in the middle of the counted time plus the charges of a tenth of a second, because a small backlog fluctuates.
    sustained: refused + missing + wrong === 0 && backlog.end <= perSecond && backlog.end <= 2 * backlog.middle + perSecond / 10,
  };
}

function readCpu({ pids }: ChargeStage) {
  const own = process.cpuUsage();
  const cpu: [string, number][] = Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid) ?? Number.NaN]);
  return { cpu: [...cpu, ['sender', (own.user + own.system) / 1e6] satisfies [string, number]], machine: machineSeconds() };
}

/** Joins what the provider and the receiver recorded about the bills. */
async function collect(
  { runtime, provider, receiver }: ChargeStage,
  sent: readonly SentCharge[],
  begunAt: number,
): Promise<{ charges: Charge[]; wrong: number }> {
  const waiting = new Set(sent.flatMap(({ billId }) => billId ?? []));
  const deadline = Date.now() + DRAIN_MS;
  const webhooks = new Map<string, number>();
  let faults = 0;
  while (waiting.size > 0 && Date.now() < deadline) {
    await delay(250);
    const { arrivals, wrong, repeated } = receiverReportSchema.parse(await receiver.ask({ report: true }));
    for (const [billId, at] of arrivals) {
      webhooks.set(billId, at);
      waiting.delete(billId);
    }
    faults = wrong + repeated;
  }
  const callbacks = new Map(providerReportSchema.parse(await provider.ask({ report: true })).map((one) => [one.reference, one]));
  const attempts = await runtime.db.query<{ billId: string; reference: string }>(
    { text: 'SELECT bill_id AS "billId", our_reference AS reference FROM push_attempt WHERE created_at >= $1' },
    [new Date(begunAt - 1_000)],
  );
  const references = new Map(attempts.map(({ billId, reference }) => [billId, reference]));
  const charges = sent.flatMap(({ billId, dueAt, answeredAt }) => {
    if (billId === null) return [];
    const callback = callbacks.get(references.get(billId) ?? '');
    const { promptedAt = Infinity, sentAt: calledBackAt = Infinity, repliedAt = Infinity } = callback ?? {};
    return [{ dueAt, answeredAt, promptedAt, calledBackAt, repliedAt, webhookAt: webhooks.get(billId) ?? Infinity }];
  });
  return { charges, wrong: faults + [...callbacks.values()].filter(({ asExpected }) => !asExpected).length };
}
