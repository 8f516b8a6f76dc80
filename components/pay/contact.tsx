import { formatSupportNumber, parseSupportNumber } from '@/lib/identity/merchants/brand-rules';
import { readMobile } from '@/lib/platform/core/mobile';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { shareAddresses } from './share-addresses';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** How to reach the operator, as a link if it is a phone number or an e-mail address. */
export function Contact({ contact }: { readonly contact: string }) {
  const number = parseSupportNumber(contact);
  const address = number !== null ? `tel:${number}` : EMAIL.test(contact) ? `mailto:${contact}` : null;
  return address === null ? <b>{contact}</b> : <a href={address}>{contact}</a>;
}

interface AskButtonsProps {
  /** How to reach the shop or the operator: a number, an e-mail address or any other text. Null for none. */
  readonly contact: string | null;
  /** The first words of a WhatsApp message, which the customer can change. */
  readonly text: string;
  readonly locale: Locale;
}

/** Buttons to call a number and to write to it on WhatsApp, which landlines do not have, or to write to an e-mail address. */
export function AskButtons({ contact, text, locale }: AskButtonsProps) {
  if (contact === null) return null;
  const t = translator(locale, 'Pay');
  const number = parseSupportNumber(contact);
  if (number === null && !EMAIL.test(contact)) return <p className="center">{contact}</p>;
  const mobile = number === null ? null : readMobile(number);
  return (
    <>
      <a className="button" href={number === null ? `mailto:${contact}` : `tel:${number}`}>
        {number === null ? t('write', { address: contact }) : t('call', { number: formatSupportNumber(number) })}
      </a>
      {mobile !== null && (
        <a className="button" href={shareAddresses(text, mobile).whatsapp} rel="noreferrer">
          {t('ask')}
        </a>
      )}
    </>
  );
}
