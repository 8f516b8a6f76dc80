import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const SCOPE_TYPES = { merchantId: uuid, environment };

const SET_DELAY = statement({
  name: 'set the delays of a sandbox',
  text: `INSERT INTO sandbox_settings (merchant_id, environment, delay_percent) VALUES ($merchantId, $environment, $percent)
         ON CONFLICT (merchant_id, environment) DO UPDATE SET delay_percent = excluded.delay_percent`,
  parameters: { ...SCOPE_TYPES, percent: int4 },
  columns: {},
});

export async function setDelay(db: Queryable, { merchantId, environment: where }: Scope, percent: number): Promise<void> {
  await SET_DELAY.rows(db, { merchantId, environment: where, percent });
}

const LIST_DELAYS = statement({
  name: 'list the delays of sandboxes',
  text: `SELECT merchant_id AS "merchantId", delay_percent AS percent FROM sandbox_settings
         WHERE merchant_id = ANY($merchantIds::uuid[]) AND environment = 'sandbox' AND delay_percent <> 100`,
  parameters: { merchantIds: array(uuid) },
  columns: { merchantId: uuid, percent: int4 },
});

/** Returns the factors by which the delays of merchants' sandboxes are multiplied. A merchant without a factor has the usual delays. */
export async function findDelayFactors(db: Queryable, merchantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (merchantIds.length === 0) return new Map();
  const rows = await LIST_DELAYS.rows(db, { merchantIds });
  return new Map(rows.map(({ merchantId, percent }) => [merchantId, percent / 100]));
}

/** Returns the delays of a merchant's sandbox in percent of the usual time. */
export async function findDelay(db: Queryable, { merchantId }: Scope): Promise<number> {
  return Math.round(((await findDelayFactors(db, [merchantId])).get(merchantId) ?? 1) * 100);
}
