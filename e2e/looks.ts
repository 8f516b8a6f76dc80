import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { expect } from './product';

/** Between them: both widths, both looks, both languages, and each pair of those once. The address is opened once for each language. */
const LOOKS = [
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
      { width: 360, height: 740, theme: 'dark' },
      { width: 1280, height: 800, theme: 'light' },
    ],
  },
] as const;

/** A folder to leave pictures in, for people to look at; none is taken without it. */
const PICTURES = process.env.DASH_SHOTS;

/** Opens an address in every look: axe finds nothing, and nothing is wider than the screen. Ends in the look it began with. */
export async function looksWell(page: Page, url: string, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { lang, screens } of LOOKS) {
    await speak(page, url, lang);
    await page.goto(url);
    for (const { width, height, theme } of screens) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      await isAccessible(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}-${theme}-${lang}.png`), fullPage: true });
    }
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  await speak(page, url, 'en');
}

/** Leaves a picture of a page as it is now, for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** For the whole product, as its switch sets it: a cookie of an address below would be another, beside this. */
async function speak(page: Page, url: string, lang: string): Promise<void> {
  await page.context().addCookies([{ name: 'bili-lang', value: lang, url: new URL(url).origin }]);
}
