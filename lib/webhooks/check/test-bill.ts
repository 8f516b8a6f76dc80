import type { Random } from '@/lib/core/clock';
import { newPaymentReference } from '@/lib/core/ids';

/** What bills of tests and checks are about: a thousand shillings, in senti. */
export const TEST_AMOUNT = 100_000n;

/** @returns a reference that nobody takes for an order: the name and eight random letters and digits. */
export function testReference(name: 'TEST' | 'CHECK', random: Random): string {
  return `${name}-${newPaymentReference(random).slice(0, 8)}`;
}
