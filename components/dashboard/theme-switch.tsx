import { type Locale, translator } from '@/lib/i18n/translator';
import { pageTheme, THEMES } from '@/lib/server/preferences';

/** Light, dark, or as the device has it; comes back to the same page. */
export async function ThemeSwitch({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'Shell');
  const chosen = await pageTheme();
  return (
    <form method="post" action="/preferences">
      <fieldset className="grid grid-cols-3 gap-1">
        <legend className="px-2 pb-1 text-sm text-muted">{t('theme')}</legend>
        {THEMES.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === chosen}
            className="min-h-11 cursor-pointer rounded-lg border border-line px-1 text-sm font-semibold aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand"
          >
            {t(theme)}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
