import { createBill } from '@/lib/bills/create/create-bill';
import { operatorActor } from '@/lib/core/actor';
import type { Scope } from '@/lib/core/scope';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import { addAccount } from '@/lib/providers/accounts/add-account';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { createRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { newBill as checkedBill } from '../../data/new-bill';
import type { Undo } from '../run-bench';

/** A merchant with its own account at its own simulated provider. */
export interface Shop {
  readonly scope: Scope;
  readonly simulator: MpesaSimulator;
}

/** A mobile number whose attempts are paid after a second. */
const MOBILE = '0754000001';
const KEY_BITS = 2048;

export async function openShop(runtime: Runtime, name: string, mode: 'sync' | 'async', undo: Undo): Promise<Shop> {
  const simulator = await startMpesaSimulator({ ...runtime, mode, keyBits: KEY_BITS });
  undo.push(() => simulator.stop());
  const created = await createMerchant(runtime, { name, email: `${name}@example.com`, live: 'active' });
  if (!created.ok) throw new Error(created.error);
  const { id: merchantId } = created.value.merchant;
  const added = await addAccount(
    { ...runtime, providers: createRegistry(runtime, null) },
    {
      provider: 'mpesa',
      environment: 'sandbox',
      merchantId,
      label: name,
      networks: null,
      credentials: JSON.stringify(simulator.credentials),
      actor: operatorActor('bench'),
    },
  );
  if (!added.ok) throw new Error(added.error.join(' '));
  return { scope: { merchantId, environment: 'sandbox' }, simulator };
}

/** Creates a bill with an attempt. Returns its id. */
export async function newBill(runtime: Runtime, { scope }: Shop): Promise<string> {
  const bill = checkedBill(runtime, { amount: 5_000, reference: 'BENCH', mobile: MOBILE });
  const created = await createBill(runtime, { scope, bill, createdBy: 'bench', uniqueReferences: false, idempotencyKey: null });
  if (!created.ok) throw new Error(created.error.code);
  return created.value.bill.id;
}
