import type { Backlog } from './backlog';
import { makeEndpoints } from './due-deliveries';
import { type Latency, measureLatency } from './latency';
import type { BenchDatabase, Stage } from './stage';

export const HEALTHY = 200;
export const PER_SECOND = 200;
/** Longer than the timeout of a call, so that hanging calls time out and are recorded during the measurement. */
export const SECONDS = 18;

export interface Isolation {
  readonly quiet: Latency;
  readonly beside: Latency;
  /** The number of hanging calls. */
  readonly hung: number;
}

/** Measures deliveries to healthy endpoints, without and with a hanging endpoint that has a large backlog. */
export async function measureIsolation(stage: Stage, backlog: Backlog): Promise<Isolation> {
  const quiet = await measure(stage, await stage.database('quiet'));
  const database = await backlog.copy('beside_backlog');
  const beside = await measure(stage, database, backlog.endpoint);
  return { quiet: quiet.latency, beside: beside.latency, hung: beside.hung };
}

async function measure(stage: Stage, database: BenchDatabase, hanging?: string): Promise<{ latency: Latency; hung: number }> {
  const { db } = database.runtime;
  const sink = await stage.startSink();
  const endpoints = await makeEndpoints(database.runtime, { count: HEALTHY, url: `${sink.url}/ok` });
  await db.query({ text: 'ANALYZE webhook_endpoint' });
  if (hanging) await db.query({ text: 'UPDATE webhook_endpoint SET url = $2 WHERE id = $1' }, [hanging, `${sink.url}/hang`]);
  const worker = await database.startWorker();
  const latency = await measureLatency(database, sink, { endpoints, perSecond: PER_SECOND, seconds: SECONDS });
  const { calls, arrivals } = await sink.report('with arrivals');
  await Promise.all([worker.stop(), sink.stop()]);
  await database.close();
  return { latency, hung: calls - arrivals.length };
}
