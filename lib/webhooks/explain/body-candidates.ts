import { webhookJson } from '@/lib/bills/bill-json';
import type { BillStatus } from '@/lib/bills/rules';
import { parseDecimal } from '@/lib/core/money';
import { parseJson } from './json-text';
import { DAMAGES, decodeAny } from './text-damage';

/**
 * Returns the bodies that Bili may have sent if a merchant's code received this body. Undoes the changes in DAMAGES, in every combination.
 * Each repaired text leads to three candidates: the text itself, the text with a line break at its end, and the body that Bili writes for
 * the bill in the text. The caller finds the right candidate by its signature.
 */
export function bodyCandidates(received: Uint8Array): Buffer[] {
  let texts = new Set([decodeAny(received).text]);
  for (const { undo } of DAMAGES) texts = new Set([...texts, ...[...texts].map(undo)]);
  const written = [...texts].flatMap((text) => [text, webhookOf(text) ?? text, `${text}\n`]);
  return [...new Set(written)].map((text) => Buffer.from(text));
}

/** Returns the webhook body for the bill that a JSON text contains, or null if it contains none. */
function webhookOf(text: string): string | null {
  const bill = billIn(text);
  return bill && webhookJson(bill);
}

/** Returns the bill in a webhook's body, or null if the text is not such a body. */
export function billIn(text: string): Parameters<typeof webhookJson>[0] | null {
  const parsed = parseJson(text);
  const bill = isObject(parsed) && isObject(parsed.bill) ? parsed.bill : null;
  if (!bill) return null;
  const { id, mobile, amount, status, reference } = bill;
  const decimal = parseDecimal(String(amount));
  if (typeof id !== 'string' || typeof reference !== 'string' || !isStatus(status) || !decimal || decimal.decimals > 2) return null;
  if (mobile !== null && typeof mobile !== 'string') return null;
  return { id, mobile, amount: decimal.digits * 10n ** BigInt(2 - decimal.decimals), status, reference };
}

function isStatus(value: unknown): value is BillStatus {
  return value === 'NOT_PAID' || value === 'PARTIALLY_PAID' || value === 'FULLY_PAID';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
