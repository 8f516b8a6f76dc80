import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { installChromium } from '@/testing/find-chromium';
import { median } from '../load';
import { firstPaint, type Line, openSlowTab, type PageCost, PHONE } from '../pay/measure-page';
import { table } from '../report';
import { say, type Undo } from '../run-bench';
import type { Shop } from './stage';

/** A cheap phone on a bad line: 50 kB/s. */
const LINE: Line = { roundTripMs: 400, bitsPerSecond: 400_000, cpuSlowdown: 4 };
/** The page is complete when it has sent no request for this time. */
const QUIET_MS = 1_000;

interface SlowCost extends PageCost {
  readonly loadedMs: number;
}

/**
 * Measures what a member waits for on a slow line: a first visit of the sign-in page and of the overview, then the other main pages, whose
 * scripts are partly in the browser's cache, and a tap on a bill of the list.
 */
export async function measureSlowLine(shop: Shop, rounds: number, undo: Undo): Promise<string> {
  const browser = await chromium.launch({ executablePath: installChromium(), args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  undo.push(() => browser.close());
  const costs = new Map<string, SlowCost[]>();
  const taps: { readonly outline: number; readonly page: number }[] = [];
  const add = (name: string, cost: SlowCost) => costs.set(name, [...(costs.get(name) ?? []), cost]);
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    say(`Slow line, round ${round} of ${rounds}…`);
    const context = await browser.newContext(PHONE);
    const results: [string, SlowCost][] = [['sign-in', await visit(context, new URL('/sign-in', shop.root).href)]];
    await context.addCookies([{ ...shop.cookie, url: shop.root }]);
    for (const page of ['overview', 'bills', 'counter', 'bills/new']) results.push([page, await visit(context, `${shop.root}/${page}`)]);
    const tap = await tapBill(context, `${shop.root}/bills`);
    await context.close();
    if (round === 0) continue;
    for (const [name, cost] of results) add(name, cost);
    taps.push(tap);
  }
  const rows = [...costs].map(([name, list]) => {
    const of = (pick: (cost: SlowCost) => number, digits: number) => median(list.map(pick)).toFixed(digits);
    return [
      name,
      of(({ requests }) => requests, 0),
      of(({ bytes }) => bytes / 1_000, 1),
      of(({ scriptBytes }) => scriptBytes / 1_000, 1),
      of(({ paintMs }) => paintMs, 0),
      of(({ loadedMs }) => loadedMs, 0),
    ];
  });
  return `
A phone at ${LINE.roundTripMs} ms round trip, ${LINE.bitsPerSecond / 8_000} kB/s and a processor ${LINE.cpuSlowdown} times slower. Medians of ${rounds} visits, one page after another with one cache.

${table(['page', 'requests', 'kB', 'kB of scripts', 'first paint ms', 'loaded ms'], rows)}

A tap on a bill of the list shows its outline after ${median(taps.map(({ outline }) => outline)).toFixed(0)} ms, and the bill after ${median(taps.map(({ page }) => page)).toFixed(0)} ms.
`;
}

async function visit(context: BrowserContext, url: string): Promise<SlowCost> {
  const { page, cost } = await openSlowTab(context, LINE);
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(QUIET_MS);
  const loadedMs = await page.evaluate(() => performance.getEntriesByType('navigation').map(({ duration }) => duration)[0] ?? Number.NaN);
  const visited = { ...cost, loadedMs, paintMs: await firstPaint(page) };
  await page.close();
  return visited;
}

/** Taps a bill of the list. Returns how long it takes until the outline of the bill's page is shown, and until the page is. Milliseconds. */
async function tapBill(context: BrowserContext, list: string): Promise<{ outline: number; page: number }> {
  const { page } = await openSlowTab(context, LINE);
  await page.goto(list, { waitUntil: 'load' });
  await page.waitForTimeout(QUIET_MS);
  const began = performance.now();
  const since = async (shown: Promise<unknown>) => {
    await shown;
    return performance.now() - began;
  };
  const [outline, shown] = await Promise.all([
    since(page.locator('[data-shown=outline]').waitFor()),
    since(page.waitForURL(/\/bills\/[\da-f-]{36}$/).then(() => page.locator('[data-shown=outline]').waitFor({ state: 'detached' }))),
    firstBill(page).tap(),
  ]);
  await page.close();
  return { outline, page: shown };
}

function firstBill(page: Page) {
  return page.locator('tr a[href*="/bills/"]').first();
}
