import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Balance, readBalance } from './balance-store';
import { findPaymentById, findPaymentsByReceipt, findPaymentsOfBill, type LedgerPayment } from './payment-store';

/** Returns the balances of the payments that `name` identifies: the id of a payment, the id of a bill, or a receipt number. */
export async function showPayments({ db }: Pick<Runtime, 'db'>, name: string): Promise<Balance[]> {
  const payments = isUuid(name) ? await findByUuid(db, name) : await findPaymentsByReceipt(db, name);
  return Promise.all(payments.map((payment) => readBalance(db, payment)));
}

async function findByUuid(db: Runtime['db'], id: string): Promise<LedgerPayment[]> {
  const payment = await findPaymentById(db, id);
  return payment ? [payment] : findPaymentsOfBill(db, id);
}
