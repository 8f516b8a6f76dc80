import { MAX_PARALLELISM } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { insertDueDeliveries, makeEndpoints } from './due-deliveries';
import type { BenchDatabase, Stage } from './stage';

export const OWED = 1_000_000;
const NOBODY = 'http://127.0.0.1:9/';

/** A database with one endpoint that has a million due deliveries. */
export interface Backlog {
  readonly endpoint: string;
  copy(name: string): Promise<BenchDatabase>;
}

/** Creates the backlog. The endpoint counts as healthy, so it gets the maximum number of parallel calls. */
export async function makeBacklog(stage: Stage): Promise<Backlog> {
  const database = await stage.database('backlog');
  const endpoints = await makeEndpoints(database.runtime, { count: 1, url: NOBODY, parallelism: MAX_PARALLELISM });
  await insertDueDeliveries(database.runtime.db, { endpoints, count: OWED });
  await database.close();
  return { endpoint: endpoints[0] ?? '', copy: (name) => stage.database(name, 'backlog') };
}
