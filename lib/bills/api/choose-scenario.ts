import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { setScenario } from '@/lib/sandbox/scenario-store';
import type { PaymentScenario } from '@/lib/sandbox/scenarios';

/** Stores what the simulated customer does with the payment requests of a sandbox bill. The bill need not exist yet. */
export async function chooseScenario(
  { db }: Pick<ReadRuntime, 'db'>,
  access: KeyAccess,
  choice: { readonly billId: string; readonly scenario: PaymentScenario },
): Promise<void> {
  if (!may(access, 'bills.create')) throw new Error('the route requires the scope that allows this');
  await setScenario(db, access.scope, choice);
}

/**
 * Returns options for `createBill` and `createBills`. With them, a new bill gets its scenario before its first payment request is created.
 */
export function scenarioOptions(
  runtime: Pick<ReadRuntime, 'db'>,
  access: KeyAccess,
  scenario: PaymentScenario | null,
): { readonly prepare?: (billId: string) => Promise<void> } {
  return scenario === null ? {} : { prepare: (billId) => chooseScenario(runtime, access, { billId, scenario }) };
}
