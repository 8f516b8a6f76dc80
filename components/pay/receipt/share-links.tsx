import { SHARE_SCRIPT } from '@/components/pay/generated/share-script';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { shareAddresses } from './share-addresses';

/** Hides the buttons that need JavaScript. The script shows them again. */
const SHARE_STYLE =
  '.acts .button,.ways .button{display:flex;align-items:center;justify-content:center}.acts .print,.ways .share{display:none}.js .acts .print,.can-share .ways .share{display:flex}';

/** What a page with `ShareLinks` inlines in addition to the style and script that all public pages share. */
export const SHARE_PARTS = { style: SHARE_STYLE, script: SHARE_SCRIPT };

/**
 * Links that open SMS or WhatsApp with a text, and on phones a button that opens the list of apps. The browser loads nothing from other
 * sites until somebody clicks a link.
 */
export function ShareLinks({ text, locale }: { readonly text: string; readonly locale: Locale }) {
  const t = translator(locale, 'Share');
  const { sms, whatsapp } = shareAddresses(text);
  return (
    <p className="screen ways">
      <button id="share" type="button" className="button share" data-text={text.replaceAll('\u00a0', ' ')}>
        {t('share')}
      </button>
      <a className="button" href={whatsapp}>
        {t('whatsapp')}
      </a>
      <a className="button" href={sms}>
        {t('sms')}
      </a>
    </p>
  );
}
