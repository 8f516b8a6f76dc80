import { type Locale, translator } from '@/lib/i18n/translator';

/** Opens the phone's own SMS or WhatsApp with a text to send. Nothing is asked of anybody before one is pressed. */
export function ShareLinks({ text, locale }: { readonly text: string; readonly locale: Locale }) {
  const t = translator(locale, 'Share');
  // A no-break space would make the SMS UCS-2, which holds 70 characters instead of 160 (3GPP TS 23.038).
  const encoded = encodeURIComponent(text.replaceAll('\u00a0', ' '));
  return (
    <p className="screen">
      <a className="button" href={`sms:?body=${encoded}`}>
        {t('sms')}
      </a>
      <a className="button" href={`https://wa.me/?text=${encoded}`}>
        {t('whatsapp')}
      </a>
    </p>
  );
}
