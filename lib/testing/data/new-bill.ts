import { type NewBill, newBillSchema } from '@/lib/bills/schema';
import { check } from '@/lib/core/check';
import { JsonNumber } from '@/lib/core/json-number';
import type { Runtime } from '@/lib/runtime/runtime';

interface AskedBill {
  /** Shillings. */
  readonly amount: number;
  readonly reference: string;
  readonly mobile?: string | null;
}

/** Returns the validated input of a new bill. Throws if the API would refuse it. */
export function newBill({ settings }: Pick<Runtime, 'settings'>, { amount, ...asked }: AskedBill): NewBill {
  const bill = check(newBillSchema(settings.MAX_BILL_AMOUNT), { ...asked, amount: new JsonNumber(String(amount)) });
  if (!bill.ok) throw new Error(bill.error.code);
  return bill.value;
}
