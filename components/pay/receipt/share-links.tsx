import { type Locale, translator } from '@/lib/i18n/translator';
import { shareAddresses } from './share-addresses';

/** Links that open SMS or WhatsApp with a text. Nothing is loaded from other sites before a link is clicked. */
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
