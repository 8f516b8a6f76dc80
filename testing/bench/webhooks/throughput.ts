import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, machineSeconds } from '../cpu-time';
import { insertDueDeliveries, makeEndpoints } from './due-deliveries';
import type { Sink, Stage } from './stage';

const LONGEST_MS = 180_000;

export interface ThroughputOptions {
  readonly name: string;
  readonly protocol: 'http' | 'https';
  readonly deliveries: number;
  readonly endpoints: number;
  readonly workers: number;
}

export interface Throughput extends ThroughputOptions {
  readonly perSecond: number;
  readonly connectionsPerCall: number;
  /** Processor seconds of all workers, PostgreSQL and the receiver (`sink`). Null if the system does not report them. */
  readonly cpu: { readonly worker: number | null; readonly postgres: number | null; readonly sink: number | null };
  /** The average number of busy processors, including all other processes of the machine. */
  readonly machineBusy: number;
  readonly seconds: number;
}

/** Creates due deliveries, starts the workers, and measures from the first call to the last recorded answer. */
export async function measureThroughput(stage: Stage, options: ThroughputOptions): Promise<Throughput> {
  const { name, protocol, deliveries, endpoints: count, workers: many } = options;
  const database = await stage.database(name);
  const { db } = database.runtime;
  const sink = await stage.startSink();
  const endpoints = await makeEndpoints(database.runtime, {
    count,
    url: `${protocol === 'http' ? sink.url : sink.secureUrl}/ok`,
    status: 'paused',
  });
  await insertDueDeliveries(db, { endpoints, count: deliveries });
  const workers = await Promise.all(Array.from({ length: many }, () => database.startWorker()));
  await delay(1_000);

  const used = () => ({
    worker: sum(workers.map(({ pid }) => cpuSeconds(pid))),
    postgres: cpuSeconds(stage.postmaster),
    sink: cpuSeconds(sink.pid),
  });
  const before = used();
  const [begun, machine] = [performance.now(), machineSeconds()];
  await db.query({ text: "UPDATE webhook_endpoint SET status = 'active'" });
  await waitForCalls(sink, deliveries);
  while (await isOpen()) await delay(20);
  const after = used();
  const machineBusy = ((machineSeconds() - machine) * 1_000) / (performance.now() - begun);
  const { calls, connections } = await sink.report();
  const [row] = await db.query<{ seconds: number; logged: number }>({
    text: `SELECT extract(epoch FROM max(d.settled_at) - min(d.last_attempt_at))::float AS seconds, (SELECT count(*)::int FROM webhook_attempt) AS logged FROM webhook_delivery d`,
  });
  const { seconds = Number.NaN, logged = 0 } = row ?? {};
  if (logged !== deliveries) throw new Error(`${logged} attempts were logged for ${deliveries} deliveries`);
  await Promise.all([...workers, sink].map((running) => running.stop()));
  await database.close();
  return {
    ...options,
    seconds,
    machineBusy,
    perSecond: deliveries / seconds,
    connectionsPerCall: connections / calls,
    cpu: {
      worker: difference(after.worker, before.worker),
      postgres: difference(after.postgres, before.postgres),
      sink: difference(after.sink, before.sink),
    },
  };

  async function isOpen(): Promise<boolean> {
    return (await db.query({ text: "SELECT 1 AS open FROM webhook_delivery WHERE state IN ('PENDING', 'SENDING') LIMIT 1" })).length > 0;
  }
}

async function waitForCalls(sink: Sink, wanted: number): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  while ((await sink.report()).calls < wanted) {
    if (Date.now() > deadline)
      throw new Error(`${(await sink.report()).calls} of ${wanted} webhooks arrived within ${LONGEST_MS / 1_000} s`);
    await delay(100);
  }
}

function sum(parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>((total, part) => (total === null || part === null ? null : total + part), 0);
}

function difference(after: number | null, before: number | null): number | null {
  return after === null || before === null ? null : after - before;
}
