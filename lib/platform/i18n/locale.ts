/** The languages of the product. This file does not import the texts, because code that only reads a language needs no texts. */
export const LOCALES = ['sw', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** The languages, each with its name in that language. */
export const LANGUAGES: readonly { readonly value: Locale; readonly text: string }[] = [
  { value: 'sw', text: 'Kiswahili' },
  { value: 'en', text: 'English' },
];

export function isLocale(text: string | null | undefined): text is Locale {
  return text === 'sw' || text === 'en';
}

/** Returns the chosen language, otherwise the first supported language of the browser, otherwise Swahili. */
export function chooseLocale(asked: string | null | undefined, acceptLanguage: string | null | undefined): Locale {
  if (isLocale(asked)) return asked;
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = Number(parameters.find((parameter) => parameter.trim().startsWith('q='))?.split('=')[1] ?? 1);
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality, index };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  return wanted.map(({ language }) => language).find(isLocale) ?? 'sw';
}
