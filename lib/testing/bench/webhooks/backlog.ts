import { MAX_PARALLELISM } from '@/lib/webhooks/endpoint/health-rules';
import { makeEndpoints, oweDeliveries } from './owed';
import type { BenchDatabase, Stage } from './stage';

export const OWED = 1_000_000;
const NOBODY = 'http://127.0.0.1:9/';

/** A database in which one endpoint is owed a million webhooks that are due. It was well before, so it gets as many calls as any. */
export interface Backlog {
  readonly endpoint: string;
  copy(name: string): Promise<BenchDatabase>;
}

export async function makeBacklog(stage: Stage): Promise<Backlog> {
  const database = await stage.database('backlog');
  const endpoints = await makeEndpoints(database.runtime, { count: 1, url: NOBODY, parallelism: MAX_PARALLELISM });
  await oweDeliveries(database.runtime.db, { endpoints, count: OWED });
  await database.close();
  return { endpoint: endpoints[0] ?? '', copy: (name) => stage.database(name, 'backlog') };
}
