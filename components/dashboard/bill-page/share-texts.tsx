'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { shareAddresses } from '@/components/pay/receipt/share-addresses';
import { buttonClass } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copied-value';
import { LANGUAGES } from '@/components/ui/forms/languages';
import { Icon } from '@/components/ui/icon';
import type { Locale } from '@/lib/i18n/locale';

interface ShareTextsProps {
  readonly texts: Readonly<Record<Locale, string>>;
  /** The customer's number, to which SMS and WhatsApp address the text; null if the bill has none. */
  readonly mobile: string | null;
}

/** The text for the customer, in the language that the member chooses, and ways to send it. */
export function ShareTexts({ texts, mobile }: ShareTextsProps) {
  const t = useTranslations('BillPage');
  // The customer's language is unknown, so the first choice is Swahili.
  const [language, choose] = useState<Locale>('sw');
  const text = texts[language];
  // The button that opens the list of apps is only for phones: on computers, this list is mostly empty.
  const [phone, setPhone] = useState(false);
  useEffect(() => setPhone('share' in navigator && window.matchMedia('(pointer: coarse)').matches), []);
  const share = async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      // An AbortError means that the person closed the list of apps. After another error, the button that opens the list is removed. The
      // links for WhatsApp and SMS still work.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setPhone(false);
    }
  };
  const { sms, whatsapp } = shareAddresses(text, mobile);
  return (
    <div className="grid gap-3">
      <fieldset>
        <legend className="sr-only">{t('textIn')}</legend>
        <div className="inline-flex rounded-lg border border-edge">
          {LANGUAGES.map(({ value: locale, text: name }) => (
            <label
              key={locale}
              className="flex min-h-9 cursor-pointer items-center gap-1 rounded-lg px-3 text-sm font-semibold has-checked:bg-brand has-checked:text-on-brand has-focus-visible:outline-3 has-focus-visible:outline-amber"
            >
              <input
                type="radio"
                name="share-language"
                value={locale}
                checked={locale === language}
                onChange={() => choose(locale)}
                className="sr-only"
              />
              {locale === language && <Icon name="check" />}
              <span lang={locale}>{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <p lang={language} className="rounded-lg bg-ground p-3 text-sm wrap-anywhere" data-shown="message">
        {text}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <a href={whatsapp} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
          <Icon name="share" /> {t('whatsapp')}
        </a>
        <a href={sms} className={buttonClass('plain')}>
          <Icon name="phone" /> {t('sms')}
        </a>
        {phone && (
          <button type="button" onClick={share} className={buttonClass('plain')}>
            <Icon name="share" /> {t('shareApps')}
          </button>
        )}
        <CopyButton value={text} text={t('copyText')} full />
      </div>
    </div>
  );
}
