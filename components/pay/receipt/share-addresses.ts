/** @returns where a text can be sent from: the phone's own SMS, or WhatsApp. */
export function shareAddresses(text: string): { readonly sms: string; readonly whatsapp: string } {
  // A no-break space would make the SMS UCS-2, which holds 70 characters instead of 160 (3GPP TS 23.038).
  const encoded = encodeURIComponent(text.replaceAll('\u00a0', ' '));
  return { sms: `sms:?body=${encoded}`, whatsapp: `https://wa.me/?text=${encoded}` };
}
