import type { Bill } from '@/lib/bills/rules';
import type { Locale } from '@/lib/i18n/locale';

/** The pictures of a bill: its receipt, and the preview of its link in a chat. */
export type PictureKind = 'receipt' | 'bill';

/**
 * Returns the path of a picture of a bill. The path contains the paid amount, so a payment changes it. Chats store a picture by its
 * address: with the same path, they would still show a paid bill as unpaid.
 */
export function pictureAddress({ id, paidAmount }: Pick<Bill, 'id' | 'paidAmount'>, kind: PictureKind, locale: Locale): string {
  return `/pay/picture/${id}/${kind}.png?lang=${locale}&paid=${paidAmount}`;
}
