import { type NewBill, newBillSchema } from '@/lib/gateway/bills/schema';
import { check } from '@/lib/platform/core/check';
import { JsonNumber } from '@/lib/platform/core/json-number';
import type { Runtime } from '@/lib/platform/runtime/runtime';

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
