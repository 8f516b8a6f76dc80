import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isPaymentScenario, type PaymentScenario } from '@/lib/sandbox/scenarios';

const SET_SCENARIO = statement({
  name: 'set the scenario of a sandbox bill',
  text: `INSERT INTO sandbox_scenario (merchant_id, environment, bill_id, scenario) VALUES ($merchantId, $environment, $billId, $scenario)
         ON CONFLICT (merchant_id, environment, bill_id) DO UPDATE SET scenario = excluded.scenario`,
  parameters: { merchantId: uuid, environment, billId: uuid, scenario: text },
  columns: {},
});

/**
 * Sets what the simulated customer does with all later payment requests for a bill. The bill need not exist yet, so that the scenario can
 * also apply to its first payment request.
 */
export async function setScenario(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  { billId, scenario }: { readonly billId: string; readonly scenario: PaymentScenario },
): Promise<void> {
  await SET_SCENARIO.rows(db, { merchantId, environment: where, billId, scenario });
}

const FIND_SCENARIO = statement({
  name: 'find the scenario of a sandbox bill',
  text: `SELECT scenario FROM sandbox_scenario WHERE merchant_id = $merchantId AND environment = $environment AND bill_id = $billId`,
  parameters: { merchantId: uuid, environment, billId: uuid },
  columns: { scenario: text },
});

/** Returns the scenario of a bill; undefined if none was set. */
export async function findScenario(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  billId: string,
): Promise<PaymentScenario | undefined> {
  const found = await FIND_SCENARIO.first(db, { merchantId, environment: where, billId });
  if (!found) return undefined;
  if (!isPaymentScenario(found.scenario)) throw new Error(`unknown scenario ${found.scenario}`);
  return found.scenario;
}
