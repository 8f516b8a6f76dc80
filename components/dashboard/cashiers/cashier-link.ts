import { toInternational } from '@/lib/core/mobile';

/** A link for a cashier, and the addresses that open WhatsApp or the SMS app with it, for the cashier's number. */
export interface CashierLink {
  readonly name: string;
  readonly link: string;
  readonly whatsapp: string;
  readonly sms: string;
}

/** Pure. @param text the message with the link. */
export function cashierLink({ name, mobile, link }: { name: string; mobile: string; link: string }, text: string): CashierLink {
  const number = toInternational(mobile);
  const encoded = encodeURIComponent(text);
  return { name, link, whatsapp: `https://wa.me/${number}?text=${encoded}`, sms: `sms:+${number}?body=${encoded}` };
}
