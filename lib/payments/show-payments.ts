import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { type Balance, findPaymentById, findPaymentsByReceipt, readBalance } from './balance-store';

/** @returns where the money is of the payment with this id, or of those under this provider's receipt. */
export async function showPayments({ db }: Pick<Runtime, 'db'>, idOrReceipt: string): Promise<Balance[]> {
  const byId = isUuid(idOrReceipt) ? await findPaymentById(db, idOrReceipt) : undefined;
  const payments = byId ? [byId] : await findPaymentsByReceipt(db, idOrReceipt);
  return Promise.all(payments.map((payment) => readBalance(db, payment)));
}
