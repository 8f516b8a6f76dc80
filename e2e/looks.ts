import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { expect } from './product';

/** The folder for the gallery's pictures. Without this setting, no pictures are taken. */
const PICTURES = process.env.GALLERY;

const SCREENS = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
const THEMES = ['light', 'dark'] as const;
const EVERY_SCREEN = SCREENS.flatMap((screen) => THEMES.map((theme) => ({ ...screen, theme })));

/**
 * Looks: combinations of width, theme and language in which each pair of values occurs exactly once. The page is loaded once for
 * each language, and all rules of axe are checked once for each width.
 */
const COVERING_LOOKS = [
  {
    lang: 'sw',
    screens: [
      { width: 360, height: 740, theme: 'light' },
      { width: 1280, height: 800, theme: 'dark' },
    ],
  },
  {
    lang: 'en',
    screens: [
      { width: 1280, height: 800, theme: 'light' },
      { width: 360, height: 740, theme: 'dark' },
    ],
  },
] as const;

/** `npm test` checks each page once. Only the full tests have every look. */
const QUICK_LOOKS = [{ lang: 'en', screens: [{ width: 360, height: 740, theme: 'light' }] }] as const;

const LOOKS = PICTURES
  ? (['sw', 'en'] as const).map((lang) => ({ lang, screens: EVERY_SCREEN }))
  : process.env.TEST_FULL === '1'
    ? COVERING_LOOKS
    : QUICK_LOOKS;

/**
 * Opens a URL in every look, which is a combination of width, theme and language, or in one look if `TEST_FULL` is not 1. Checks that axe
 * finds no problems and that nothing is wider than the screen. Then restores the screen size, the default theme and English.
 */
export async function looksWell(page: Page, url: string, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { lang, screens } of LOOKS) {
    await speak(page, url, lang);
    await page.goto(url);
    for (const [index, { width, height, theme }] of screens.entries()) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      await isAccessible(page, index === 0 ? 'all' : 'visual');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}-${theme}-${lang}.png`), fullPage: true });
    }
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  await speak(page, url, 'en');
}

/** Adds a picture of the page as it is now to the gallery. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Sets the language cookie for the path `/`, as the language switch does. A cookie with a longer path would exist beside that one. */
async function speak(page: Page, url: string, lang: string): Promise<void> {
  await page.context().addCookies([{ name: 'bili-lang', value: lang, url: new URL(url).origin }]);
}
