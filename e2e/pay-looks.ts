import type { Browser, Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import type { Staged } from './pay-stage';
import { expect } from './product';

/** Checks each state in both languages and widths. axe runs once for each language. */
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

/** Checks each bill's page. Takes screenshots if `PAY_SHOTS` names a folder. */
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
    await expect(page.locator('h1 svg'), name).toBeVisible();
    await expect(page.getByRole('button'), name).toHaveCount(form ? 1 : 0);
    if (process.env.PAY_SHOTS) await page.screenshot({ path: `${process.env.PAY_SHOTS}/${name}-${lang}-${width}.png`, fullPage: true });
    if (!javaScript) continue;
    if (axe) await isAccessible(page);
    await fits(page, width, name);
  }
  await context.close();
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
