import { newId } from '@/lib/platform/core/ids';
import type { TestMerchant, TestRuntime } from '../runtime';

/** Books another payment for the attempt of a sandbox bill. The payment stays unmatched. @param amount senti. @returns the payment's id. */
export async function leaveUnmatched(runtime: TestRuntime, { merchant }: TestMerchant, billId: string, amount = 500_000n): Promise<string> {
  const payment = newId(runtime);
  await runtime.db.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, recorded_at)
             SELECT $1::uuid, 'sandbox', $2, '00000000-0000-7000-8000-5a0db0c00001', $1::text, 'payment', a.id, $4, $5 FROM push_attempt a WHERE a.bill_id = $3`,
    },
    [payment, merchant.id, billId, amount, runtime.clock()],
  );
  await runtime.db.query(
    {
      text: `INSERT INTO bill_event (bill_id, number, merchant_id, environment, type, data, at)
             SELECT $1, 99 + (SELECT count(*) FROM bill_event WHERE bill_id = $1), $2, 'sandbox', 'payment.unmatched', $3, $4`,
    },
    [billId, merchant.id, { payment }, runtime.clock()],
  );
  return payment;
}
