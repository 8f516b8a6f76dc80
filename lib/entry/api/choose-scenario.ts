import { type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import type { PaymentScenario } from '@/lib/providers/scenarios/scenarios';

/**
 * Stores what the simulated customer does with all later payment requests of a sandbox bill. The bill need not exist yet, so that the
 * scenario also applies to its first payment request.
 */
export async function chooseScenario(
  { db }: Pick<ReadRuntime, 'db'>,
  access: KeyAccess,
  { billId, scenario }: { readonly billId: string; readonly scenario: PaymentScenario },
): Promise<void> {
  if (!may(access, 'bills.create')) throw new Error('the route requires the scope that allows this');
  const { merchantId, environment } = access.scope;
  const key = { merchantId, environment, billId };
  await db.prisma.sandboxScenario.upsert({
    where: { merchantId_environment_billId: key },
    create: { ...key, scenario },
    update: { scenario },
  });
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
