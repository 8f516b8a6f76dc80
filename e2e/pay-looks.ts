import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import type { Staged } from './pay-stage';
import { expect } from './product';

/** Each state is checked in both languages, each at both widths. axe runs once for each language. */
export const LOOKS = [
  { lang: 'sw', width: 360, axe: true },
  { lang: 'en', width: 360, axe: false },
  { lang: 'sw', width: 1280, axe: false },
  { lang: 'en', width: 1280, axe: true },
] as const;

interface Look {
  readonly lang: 'sw' | 'en';
  readonly width: number;
  readonly javaScript: boolean;
  readonly axe: boolean;
}

/** Checks each bill's page, and adds pictures of it to the gallery. */
export async function lookAt(
  browser: Browser,
  stage: Readonly<Record<string, Staged>>,
  { lang, width, javaScript, axe }: Look,
): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: javaScript, viewport: { width, height: 740 } });
  const page = await context.newPage();
  for (const [name, { url, heading, form, cookie }] of Object.entries(stage)) {
    await context.clearCookies();
    if (cookie)
      await context.addCookies([{ name: cookie.slice(0, cookie.indexOf('=')), value: cookie.slice(cookie.indexOf('=') + 1), url }]);
    await page.goto(`${url}&lang=${lang}`);
    await expect(page.getByRole('heading', { level: 1 }), name).toHaveText(heading[lang]);
    await expect(page, name).toHaveTitle(new RegExp(`^${heading[lang].replaceAll('.', '\\.')}`));
    await expect(page.locator('h1 svg, .art svg'), name).toBeVisible();
    await expect(page.getByRole('button'), name).toHaveCount(form ? 1 : 0);
    if (javaScript) await pictureOf(page, `pay-${name}-${width}`, lang);
    if (!javaScript) continue;
    if (axe) await isAccessible(page);
    if (axe) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await isAccessible(page);
      if (process.env.PAY_SHOTS)
        await page.screenshot({ path: `${process.env.PAY_SHOTS}/${name}-${lang}-${width}-dark.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await fits(page, width, name);
  }
  await context.close();
}

/** Adds pictures of the page in both themes to the gallery. */
async function pictureOf(page: Page, name: string, lang: string): Promise<void> {
  const folder = process.env.GALLERY;
  if (!folder) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: join(folder, `${name}-${theme}-${lang}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Checks that nothing is wider than the window, at the normal and at the double text size. */
async function fits(page: Page, width: number, name: string): Promise<void> {
  for (const size of ['100%', '200%']) {
    const scrollWidth = await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      return document.documentElement.scrollWidth;
    }, size);
    expect(scrollWidth, `${name} at ${size}`).toBeLessThanOrEqual(width);
  }
}
