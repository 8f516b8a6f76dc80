import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { listUnmatched } from '@/lib/gateway/ledger/listing-store';
import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { messageId } from '@/lib/gateway/webhooks/rules';
import type { World } from './world';

/** A payment, a reversal or a payout, as the provider or the ledger records it. Amounts in senti. */
export interface Movement {
  readonly kind: 'payment' | 'reversal' | 'refund';
  readonly receipt: string;
  readonly amount: bigint;
}

/** Checks what must hold at any moment, even directly after a crash. */
export async function expectNothingHalfDone({ runtime: { db } }: World): Promise<void> {
  expect((await verifyLedger(db)).filter(({ count }) => count > 0)).toEqual([]);
}

/**
 * Checks what must hold when nothing is due any more, whatever was killed before.
 * @param elsewhere money that moved elsewhere than at the simulated provider of `world`. The ledger must contain them too.
 */
export async function expectAllIsWell(world: World, elsewhere: readonly Movement[] = []): Promise<void> {
  const { db } = world.runtime;
  await expectNothingHalfDone(world);
  expect(await ledger(world)).toEqual([...(await providersRecord(world)), ...elsewhere].toSorted(byReceipt));
  await expectSumsAgree(world);
  // No bill was paid through two different prompts.
  expect(
    await db.query({
      text: `SELECT t.bill_id FROM push_attempt t JOIN sandbox_step s ON s.reference = t.our_reference AND s.status = 'PAID'
             GROUP BY t.bill_id HAVING count(DISTINCT t.our_reference) > 1`,
    }),
  ).toEqual([]);
  await expectWebhooksReceived(world);
}

async function ledger({ runtime: { db } }: World): Promise<Movement[]> {
  const rows = await db.query<Movement>({
    text: "SELECT kind, provider_transaction_id AS receipt, amount FROM payment WHERE source = 'provider'",
  });
  return rows.toSorted(byReceipt);
}

/** Returns what the simulated provider has recorded in its own tables. */
async function providersRecord({ runtime: { db } }: World): Promise<Movement[]> {
  return db.query<Movement>({
    text: `SELECT 'payment' AS kind, p.receipt, p.amount * 100 AS amount FROM sandbox_prompt p
           WHERE EXISTS (SELECT 1 FROM sandbox_step s WHERE s.reference = p.reference AND s.status = 'PAID' AND s.due_at <= now())
           UNION ALL
           SELECT 'reversal', p.receipt || 'R', p.amount * 100 FROM sandbox_prompt p JOIN sandbox_step s USING (reference)
           WHERE s.status = 'REVERSED' AND s.refund_reference IS NULL
           UNION ALL
           SELECT 'payment', receipt, amount * 100 FROM sandbox_instrument_payment
           UNION ALL
           SELECT CASE WHEN prompt_reference IS NULL THEN 'refund' ELSE 'reversal' END, receipt, amount * 100 FROM sandbox_refund
           WHERE succeeds AND ends_at <= now()`,
  });
}

async function expectSumsAgree({ runtime: { db } }: World): Promise<void> {
  const [sums] = await db.query<{ kept: string; paid: string }>({
    text: `SELECT (SELECT coalesce(sum(CASE kind WHEN 'payment' THEN amount ELSE -amount END), 0) FROM payment)::text AS kept,
             (SELECT coalesce(sum(paid_amount), 0) FROM bill)::text AS paid`,
  });
  const unmatched = (await listUnmatched(db, 1_000)).reduce((sum, money) => sum + BigInt(money.unmatched), 0n);
  expect(BigInt(sums?.kept ?? -1)).toBe(BigInt(sums?.paid ?? -1) + unmatched);
}

// The webhooks whose signatures were verified. Each is verified only once, because a signature is valid for only five minutes, and the
// tests of a file can take longer.
const verified = new WeakSet<object>();

/** Each webhook exists once, has arrived at least once with a correct signature, and no other webhook has arrived. */
async function expectWebhooksReceived({ runtime: { db }, receiver, secret }: World): Promise<void> {
  const deliveries = await db.query<{ id: string; body: Buffer; state: string }>({ text: 'SELECT id, body, state FROM webhook_delivery' });
  expect(deliveries.filter(({ state }) => state !== 'DELIVERED')).toEqual([]);
  const bodies = new Map(deliveries.map(({ id, body }) => [messageId(id), body.toString()]));
  const arrived = new Set<string>();
  for (const webhook of receiver.received) {
    const { headers, body } = webhook;
    const id = headers['webhook-id'] ?? '';
    if (!verified.has(webhook)) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    verified.add(webhook);
    expect(body).toBe(bodies.get(id));
    arrived.add(id);
  }
  expect([...arrived].toSorted()).toEqual([...bodies.keys()].toSorted());
}

function byReceipt(a: Movement, b: Movement): number {
  return a.receipt < b.receipt ? -1 : a.receipt > b.receipt ? 1 : 0;
}
