import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { newId } from '@/lib/platform/core/ids';
import { makeMerchant, type TestMerchant, type TestRuntime } from '../runtime';

interface OwingOptions {
  readonly count: number;
  readonly url?: string;
  readonly priority?: 0 | 1;
  /** How long the first delivery is overdue, milliseconds. Each further delivery is due one millisecond after the previous delivery. */
  readonly overdueMs?: number;
}

/** Creates a merchant whose sandbox endpoint has this number of due deliveries. Each delivery has its own bill. */
export async function makeOwing(
  runtime: TestRuntime,
  { count, url = 'http://127.0.0.1:9/', ...owed }: OwingOptions,
): Promise<TestMerchant> {
  const merchant = await makeMerchant(runtime);
  await setEndpoint(runtime, merchant.operator('sandbox'), url);
  await oweMore(runtime, merchant, { count, ...owed });
  return merchant;
}

/** Creates further due deliveries for a merchant by one SQL statement. Each delivery has its own bill. */
export async function oweMore(
  runtime: TestRuntime,
  { merchant }: Pick<TestMerchant, 'merchant'>,
  { count, priority = 0, overdueMs = 1_000 }: Omit<OwingOptions, 'url'>,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await tx.query(
      {
        text: `WITH made AS (
                 INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at)
                 SELECT gen_random_uuid(), $1, 'sandbox', 500000, 'OWED-' || n, $4 FROM generate_series(1, $2::int) AS n RETURNING id, reference)
               INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, priority, due_at, created_at)
               SELECT ($5::uuid[])[substr(made.reference, 6)::int], $1, 'sandbox', e.id, made.id, 2, 'FULLY_PAID',
                 convert_to('{"bill":{"id":"' || made.id || '","mobile":null,"amount":5000.0,"status":"FULLY_PAID","reference":"' || made.reference || '"}}', 'UTF8'),
                 'PENDING', $3, $4::timestamptz + substr(made.reference, 6)::int * interval '1 ms', $4
               FROM made JOIN webhook_endpoint e ON e.merchant_id = $1 AND e.environment = 'sandbox'`,
      },
      [merchant.id, count, priority, new Date(runtime.clock().getTime() - overdueMs), Array.from({ length: count }, () => newId(runtime))],
    );
  });
}
