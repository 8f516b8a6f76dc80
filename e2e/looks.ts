import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { expect } from './product';

/** Between them: both widths, both looks, both languages, and each pair of those once. */
const LOOKS = [
  { width: 360, height: 740, theme: 'light', lang: 'sw' },
  { width: 360, height: 740, theme: 'dark', lang: 'en' },
  { width: 1280, height: 800, theme: 'light', lang: 'en' },
  { width: 1280, height: 800, theme: 'dark', lang: 'sw' },
] as const;

/** A folder to leave pictures in, for people to look at; none is taken without it. */
const PICTURES = process.env.DASH_SHOTS;

/** Opens an address in every look: axe finds nothing, and nothing is wider than the screen. Ends in the look it began with. */
export async function looksWell(page: Page, url: string, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { width, height, theme, lang } of LOOKS) {
    await page.setViewportSize({ width, height });
    await prefer(page, url, { theme, lang });
    await page.goto(url);
    await isAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}-${theme}-${lang}.png`), fullPage: true });
  }
  if (before) await page.setViewportSize(before);
  await prefer(page, url, { theme: 'system', lang: 'en' });
}

async function prefer(page: Page, url: string, { theme, lang }: { readonly theme: string; readonly lang: string }): Promise<void> {
  // For the whole product, as the switches set them: of an address below they would be others, beside these.
  const { origin } = new URL(url);
  await page.context().addCookies([
    { name: 'bili-theme', value: theme, url: origin },
    { name: 'bili-lang', value: lang, url: origin },
  ]);
}
