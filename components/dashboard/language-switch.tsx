import { type Locale, translator } from '@/lib/i18n/translator';

/** Changes the language and comes back to the same page. */
export function LanguageSwitch({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Dashboard');
  const other = locale === 'sw' ? 'en' : 'sw';
  return (
    <form method="post" action="/preferences">
      <button
        type="submit"
        name="lang"
        value={other}
        lang={other}
        className="min-h-11 cursor-pointer px-2 font-semibold text-brand underline underline-offset-2"
      >
        <span aria-hidden="true" className="uppercase sm:hidden">
          {other}
        </span>
        <span className="sr-only sm:not-sr-only">{t('otherLanguage')}</span>
      </button>
    </form>
  );
}
