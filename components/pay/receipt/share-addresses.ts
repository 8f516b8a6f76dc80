/** Returns links that open the phone's SMS app or WhatsApp with a text. */
export function shareAddresses(text: string): { readonly sms: string; readonly whatsapp: string } {
  // A no-break space would change the SMS to UCS-2, with 70 instead of 160 characters (3GPP TS 23.038).
  const encoded = encodeURIComponent(text.replaceAll('\u00a0', ' '));
  return { sms: `sms:?body=${encoded}`, whatsapp: `https://wa.me/?text=${encoded}` };
}
