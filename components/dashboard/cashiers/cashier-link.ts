import { toInternational } from '@/lib/core/mobile';

/** A link for a cashier. `whatsapp` and `sms` open these apps with a message to the cashier's number that contains the link. */
export interface CashierLink {
  readonly name: string;
  readonly link: string;
  readonly whatsapp: string;
  readonly sms: string;
}

/** Returns a cashier's link, and addresses that open WhatsApp and the SMS app to send it. Pure. @param text the message with the link. */
export function cashierLink({ name, mobile, link }: { name: string; mobile: string; link: string }, text: string): CashierLink {
  const number = toInternational(mobile);
  const encoded = encodeURIComponent(text);
  return { name, link, whatsapp: `https://wa.me/${number}?text=${encoded}`, sms: `sms:+${number}?body=${encoded}` };
}
