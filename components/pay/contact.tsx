import { parseSupportNumber } from '@/lib/merchants/brand-rules';

/** Returns the address that reaches a contact: a call or a mail. Null if it is another text. */
function contactAddress(contact: string): string | null {
  const number = parseSupportNumber(contact);
  if (number !== null) return `tel:${number}`;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(contact) ? `mailto:${contact}` : null;
}

/** How to reach the operator, as a link if it is a phone number or an e-mail address. */
export function Contact({ contact }: { readonly contact: string }) {
  const address = contactAddress(contact);
  return address === null ? <b>{contact}</b> : <a href={address}>{contact}</a>;
}
