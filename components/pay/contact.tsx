import { parseSupportNumber } from '@/lib/merchants/brand-rules';

/** Returns the `tel:` or `mailto:` address of a contact. Null if the contact is neither a phone number nor an e-mail address. */
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
