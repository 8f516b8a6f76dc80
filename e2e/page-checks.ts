import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import jsQR from 'jsqr';
import { expect } from './product';

declare global {
  interface Window {
    axe?: typeof import('axe-core');
  }
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules of WCAG whose results depend on the colours, the positions and the sizes of elements. */
const VISUAL_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Expects that axe finds no problems. @param rules `visual` if the other rules have passed for the same elements. */
export async function isAccessible(page: Page, rules: 'all' | 'visual' = 'all'): Promise<void> {
  // axe must be loaded once in each document. The main document is enough, because no page has frames.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axe.source);
  const runOnly: RunOptions['runOnly'] = rules === 'all' ? { type: 'tag', values: WCAG } : { type: 'rule', values: VISUAL_RULES };
  const violations = await page.evaluate(async (only) => {
    const results = await window.axe?.run(document, { runOnly: only, resultTypes: ['violations'] });
    return results?.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, runOnly);
  expect(violations).toEqual([]);
}

const WIDTHS = [360, 1280] as const;

/** Adds pictures of a page as it is now to the gallery. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.GALLERY;
  if (!folder) return;
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
  if (before) await page.setViewportSize(before);
}

export async function fitsThePhone(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}

/** Reads the page's QR code from a screenshot, as the camera of another phone would. Returns its text; empty if there is none. */
export async function scan(page: Page): Promise<string> {
  const png = (await page.locator('svg.qr').screenshot()).toString('base64');
  const blank = await page.context().browser()?.newPage();
  if (!blank) throw new Error('there is no browser');
  const { width, height, data } = await blank.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, data: [...context.getImageData(0, 0, image.width, image.height).data] };
  }, `data:image/png;base64,${png}`);
  await blank.close();
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? '';
}
