import type { Option } from '@/components/ui/forms/fields';
import { THEMES } from '@/lib/entry/server/cookie-names';
import { pageTheme } from '@/lib/entry/server/preferences';
import { isLocale, LANGUAGES, type Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface ChoiceProps {
  readonly name: 'lang' | 'theme';
  readonly legend: string;
  readonly chosen: string;
  readonly options: readonly Option[];
}

/** A choice of language or theme. A cookie of this browser stores it, not the account. After the choice, the page is loaded again. */
function Choice({ name, legend, chosen, options }: ChoiceProps) {
  return (
    <form method="post" action="/preferences">
      <fieldset className="grid auto-cols-fr grid-flow-col gap-1">
        <legend className="pb-1 text-sm text-muted">{legend}</legend>
        {options.map(({ value, text }) => (
          <button
            key={value}
            type="submit"
            name={name}
            value={value}
            lang={isLocale(value) ? value : undefined}
            aria-pressed={value === chosen}
            className="min-h-control cursor-pointer rounded-lg border border-line px-1 text-sm font-semibold aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
          >
            {text}
          </button>
        ))}
      </fieldset>
    </form>
  );
}

export function LanguageChoice({ locale }: { readonly locale: Locale }) {
  return <Choice name="lang" legend={translator(locale, 'Account')('languageLabel')} chosen={locale} options={LANGUAGES} />;
}

/** The choice of the theme: light, dark, or as the device is set. */
export async function ThemeChoice({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Shell');
  const options = THEMES.map((value) => ({ value, text: t(`theme_${value}`) }));
  return <Choice name="theme" legend={t('theme')} chosen={await pageTheme()} options={options} />;
}

/** A button that changes to the other language. On a phone it shows only the code of that language, unless `full` is true. */
export function LanguageSwitch({ locale, full = false }: { readonly locale: Locale; readonly full?: boolean }) {
  const t = translator(locale, 'Dashboard');
  const other = locale === 'sw' ? 'en' : 'sw';
  return (
    <form method="post" action="/preferences">
      <button
        type="submit"
        name="lang"
        value={other}
        lang={other}
        className="min-h-control cursor-pointer px-2 font-semibold text-brand underline underline-offset-2"
      >
        {!full && (
          <span aria-hidden="true" className="uppercase sm:hidden">
            {other}
          </span>
        )}
        <span className={full ? undefined : 'sr-only sm:not-sr-only'}>{t('otherLanguage')}</span>
      </button>
    </form>
  );
}
