import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@/lib/platform/db/database';
import type { ProviderRecord } from './compare-records';

const SETTLED_MS = 180_000;

/** The attempts that are still open at the end. */
export interface OpenPrompts {
  /** Attempts that should have settled: the provider has recorded them, or nothing explains why they are open. */
  readonly stuck: number;
  /** Attempts that never reached the provider. The product cannot know that, so they stay unknown until a person decides. */
  readonly neverArrived: number;
}

/** Waits until every attempt that can settle has settled. */
export async function waitForPrompts(db: Database, provider: () => readonly ProviderRecord[]): Promise<OpenPrompts> {
  const text = `SELECT our_reference AS reference, state = 'UNKNOWN' AND answer_lost_at IS NOT NULL AND query_count > 1 AS lost
    FROM push_attempt WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED')`;
  for (const deadline = Date.now() + SETTLED_MS; ; ) {
    const open = await db.query<{ reference: string; lost: boolean }>({ text });
    const arrived = new Set(provider().map(({ reference }) => reference));
    const neverArrived = open.filter(({ reference, lost }) => lost && !arrived.has(reference)).length;
    const stuck = open.length - neverArrived;
    if (stuck === 0 || Date.now() > deadline) return { stuck, neverArrived };
    await delay(200);
  }
}
