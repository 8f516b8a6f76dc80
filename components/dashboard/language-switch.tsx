import { type Locale, translator } from '@/lib/i18n/translator';

/** Changes the language and comes back to the same page. */
export function LanguageSwitch({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Dashboard');
  const other = locale === 'sw' ? 'en' : 'sw';
  return (
    <form method="post" action="/language">
      <button
        type="submit"
        name="lang"
        value={other}
        lang={other}
        className="min-h-11 cursor-pointer px-2 font-semibold text-brand underline underline-offset-2"
      >
        {t('otherLanguage')}
      </button>
    </form>
  );
}
