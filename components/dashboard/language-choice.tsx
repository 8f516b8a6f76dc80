import { LOCALES, type Locale, translator } from '@/lib/i18n/translator';

/** Each in its own words, as everywhere where a language is chosen. */
const NAMES: Readonly<Record<Locale, string>> = { sw: 'Kiswahili', en: 'English' };

/** Both languages to choose from; comes back to the same page. */
export function LanguageChoice({ locale }: { readonly locale: Locale }) {
  return (
    <form method="post" action="/preferences">
      <fieldset className="grid grid-cols-2 gap-1">
        <legend className="px-2 pb-1 text-sm text-muted">{translator(locale, 'Account')('languageLabel')}</legend>
        {LOCALES.map((language) => (
          <button
            key={language}
            type="submit"
            name="lang"
            value={language}
            lang={language}
            aria-pressed={language === locale}
            className="min-h-11 cursor-pointer rounded-lg border border-line px-1 text-sm font-semibold aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
          >
            {NAMES[language]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
