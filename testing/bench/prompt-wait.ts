import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { median } from './load';

const BILLS = 40;
/** Pauses between bills, so that the machine is idle, and bills arrive at different moments of the worker's loop. */
const PAUSE_MS = 97;

/**
 * Creates bills one by one while a worker runs. Returns the median time from the creation of a bill until the provider recorded its
 * prompt, milliseconds.
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
