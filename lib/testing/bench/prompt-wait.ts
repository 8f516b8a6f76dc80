import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { median } from './load';

const BILLS = 40;
/** Between bills: the machine is idle, and no two fall on the same beat of the worker's clock. */
const PAUSE_MS = 97;

/**
 * Creates bills one by one while a worker runs.
 * @returns the median from the moment a bill was created to the moment the provider recorded its prompt, milliseconds.
 */
export async function measurePromptWait(databaseUrl: string, create: (index: number) => Promise<unknown>): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let index = 0; index < BILLS; index += 1) {
      await create(index);
      await delay(PAUSE_MS);
    }
    await delay(1_000);
    const { rows } = await client.query<{ ms: string }>(
      'SELECT extract(epoch FROM p.created_at - a.created_at) * 1000 AS ms FROM sandbox_prompt p JOIN push_attempt a ON a.our_reference = p.reference',
    );
    if (rows.length < BILLS) throw new Error(`${rows.length} of ${BILLS} phones were prompted`);
    return median(rows.map(({ ms }) => Number(ms)));
  } finally {
    await client.end();
  }
}
