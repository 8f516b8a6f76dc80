import type { Random } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';

/** The amount of the bills of test webhooks and receiver checks, in senti: TZS 1,000. */
export const TEST_AMOUNT = 100_000n;

/** Returns a reference that nobody mistakes for an order: the name and eight random letters and digits. */
export function testReference(name: 'TEST' | 'CHECK', random: Random): string {
  return `${name}-${newPaymentReference(random).slice(0, 8)}`;
}
