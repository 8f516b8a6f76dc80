import { webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { formatSecret } from '@/lib/gateway/webhooks/rules';
import { newId } from '@/lib/platform/core/ids';
import type { Database } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** The number of rows that one statement can insert within its timeout. */
const ROWS_AT_ONCE = 100_000;

interface EndpointOptions {
  readonly count: number;
  readonly url: string;
  readonly status?: 'active' | 'paused';
  /** The number of parallel calls that the endpoint may get. */
  readonly parallelism?: number;
}

/** Creates merchants with one sandbox endpoint each. Returns the endpoints' ids. */
export async function makeEndpoints(
  runtime: Runtime,
  { count, url, status = 'active', parallelism = 4 }: EndpointOptions,
): Promise<string[]> {
  const made = Array.from({ length: count }, () => {
    const merchantId = newId(runtime);
    const secret = runtime.secrets.encrypt(formatSecret(runtime.random(32)), webhookContext({ merchantId, environment: 'sandbox' }));
    return { id: newId(runtime), merchantId, secret: Buffer.from(secret) };
  });
  await runtime.db.query(
    {
      text: `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS g(id, merchant_id, secret)),
             merchants AS (INSERT INTO merchant (id, slug, name, created_at) SELECT merchant_id, 'bench-' || merchant_id, 'Bench', now() FROM given),
             profiles AS (INSERT INTO merchant_profile (merchant_id, environment, status, created_at) SELECT merchant_id, 'sandbox', 'active', now() FROM given)
             INSERT INTO webhook_endpoint (id, merchant_id, environment, url, encrypted_secret, status, status_since, parallelism, created_at, updated_at)
             SELECT id, merchant_id, 'sandbox', $4, secret, $5, now(), $6, now(), now() FROM given`,
    },
    [made.map(({ id }) => id), made.map(({ merchantId }) => merchantId), made.map(({ secret }) => secret), url, status, parallelism],
  );
  return made.map(({ id }) => id);
}

/** Creates unpaid bills of the merchants of these endpoints in turn. Returns their ids. */
export async function makeBills(db: Database, endpoints: readonly string[], count: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      text: `INSERT INTO bill (id, merchant_id, environment, amount, reference, created_at)
             SELECT uuidv7(), e.merchant_id, e.environment, 500000, 'ORDER-' || n, now()
             FROM generate_series(0, $2::int - 1) AS n JOIN webhook_endpoint e ON e.id = ($1::uuid[])[n % cardinality($1::uuid[]) + 1] ORDER BY n RETURNING id`,
    },
    [endpoints, count],
  );
  return rows.map(({ id }) => id);
}

/** Creates due deliveries for these endpoints in turn, each with its own bill, and updates the planner's statistics. */
export async function insertDueDeliveries(
  db: Database,
  { endpoints, count, dueInMs = 0 }: { endpoints: readonly string[]; count: number; dueInMs?: number },
): Promise<void> {
  for (let done = 0; done < count; done += ROWS_AT_ONCE) {
    await db.query(
      {
        text: `WITH made AS (
                 INSERT INTO bill (id, merchant_id, environment, amount, paid_amount, status, reference, created_at)
                 SELECT uuidv7(), e.merchant_id, e.environment, 500000, 0, 'NOT_PAID', 'OWED-' || n, now()
                 FROM generate_series($2::int, $3::int) AS n JOIN webhook_endpoint e ON e.id = ($1::uuid[])[n % cardinality($1::uuid[]) + 1] ORDER BY n
                 RETURNING id, merchant_id, reference)
               INSERT INTO webhook_delivery (id, merchant_id, environment, endpoint_id, bill_id, event_number, bill_status, body, state, due_at, created_at)
               SELECT uuidv7(), made.merchant_id, 'sandbox', e.id, made.id, 2, 'FULLY_PAID',
                 convert_to('{"bill":{"id":"' || made.id || '","mobile":"0712345678","amount":5000.0,"status":"FULLY_PAID","reference":"' || made.reference || '"}}', 'UTF8'),
                 'PENDING', now() + $4::int * interval '1 ms', now()
               FROM made JOIN webhook_endpoint e ON e.merchant_id = made.merchant_id AND e.environment = 'sandbox'`,
      },
      [endpoints, done, Math.min(done + ROWS_AT_ONCE, count) - 1, dueInMs],
    );
  }
  await db.query({ text: 'ANALYZE' });
}
