import { toInternational } from '@/lib/platform/core/mobile';

/**
 * Returns links that open the phone's SMS app or WhatsApp with a text.
 * @param mobile the receiver's number, or null to let the sender choose somebody.
 */
export function shareAddresses(text: string, mobile: string | null = null): { readonly sms: string; readonly whatsapp: string } {
  // A no-break space would change the SMS to UCS-2, with 70 instead of 160 characters (3GPP TS 23.038).
  const encoded = encodeURIComponent(text.replaceAll('\u00a0', ' '));
  const number = mobile === null ? '' : toInternational(mobile);
  return { sms: `sms:${number && `+${number}`}?body=${encoded}`, whatsapp: `https://wa.me/${number}?text=${encoded}` };
}
