import { type Locale, translator } from '@/lib/i18n/translator';
import { shareAddresses } from './share-addresses';

/** Opens the phone's own SMS or WhatsApp with a text to send. Nothing is asked of anybody before one is pressed. */
export function ShareLinks({ text, locale }: { readonly text: string; readonly locale: Locale }) {
  const t = translator(locale, 'Share');
  const { sms, whatsapp } = shareAddresses(text);
  return (
    <p className="screen">
      <a className="button" href={sms}>
        {t('sms')}
      </a>
      <a className="button" href={whatsapp}>
        {t('whatsapp')}
      </a>
    </p>
  );
}
