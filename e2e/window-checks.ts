import type { Page } from '@playwright/test';
import { isAccessible } from './page-checks';
import { expect } from './product';

/** A window of 1280 × 1024 pixels at a zoom of 400 % (https://www.w3.org/WAI/WCAG22/Understanding/reflow.html). */
const ZOOMED = { width: 320, height: 256 };
/** A phone whose owner has set the text to 200 %. */
const LARGE_TEXT = { width: 412, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
/** The maximum number of times that Tab is pressed. No page has so many elements for the keyboard. */
const STOPS_MAX = 200;

/** Records the layout shifts of each page that is opened from now on, except those soon after an input, which are expected. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput')) continue;
        const sources: { node: Node | null }[] = Reflect.get(entry, 'sources');
        // While the page is still arriving, a packet may end in the middle of a line, and the next one moves the rest of it.
        const [arrival] = performance.getEntriesByType('navigation');
        const arrived: unknown = arrival && Reflect.get(arrival, 'domInteractive');
        if (typeof arrived !== 'number' || arrived === 0 || entry.startTime <= arrived) continue;
        shifts.push(sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent)).join(' | '));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Opens a page in a large and in a very small window. Expects that nothing moves while the page loads. In the small window, also expects
 * that nothing is cut off or scrolls sideways, that axe finds no problems, and that the keyboard works. On a phone with large text, expects
 * that nothing is cut off either.
 */
export async function worksInEveryWindow(page: Page, url: string, name: string): Promise<void> {
  for (const size of [DESKTOP, ZOOMED]) {
    await page.setViewportSize(size);
    await page.goto(url);
    expect(await settledShifts(page), `${name}: layout shifts at ${size.width} px`).toEqual([]);
  }
  expect(await page.evaluate(findCutOff), `${name}: cut off`).toEqual([]);
  await isAccessible(page);
  await worksWithKeyboard(page, name);
  await page.setViewportSize(LARGE_TEXT);
  await page.goto(url);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await page.evaluate(findCutOff), `${name}: cut off with text of 200 %`).toEqual([]);
}

/**
 * Presses Tab until an element gets the focus a second time. Expects that the keyboard has reached every element and that each focused
 * element can be seen.
 */
export async function worksWithKeyboard(page: Page, name: string): Promise<void> {
  const problems: string[] = [];
  const seen = new Set<number>();
  let last: number | null = null;
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(describeFocus);
    // The focus has left the page after the last element. The next Tab reaches the first element. The loop continues, because it may not
    // have started at the first element: a page can focus one of its elements.
    if (stop === null) continue;
    // In a date field, Tab stops several times.
    if (seen.has(stop.number) && stop.number !== last) break;
    last = stop.number;
    seen.add(stop.number);
    if (stop.problem !== null) problems.push(stop.problem);
  }
  expect(problems, `${name}: focus`).toEqual([]);
  expect(seen.size, `${name}: stops of the keyboard`).toBe(await page.evaluate(countStops));
}

/** Returns the recorded layout shifts after the page has rendered and its scripts have run. */
async function settledShifts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (): Promise<string[]> => {
    await document.fonts.ready;
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((done) => requestIdleCallback(done));
      await new Promise((done) => requestAnimationFrame(done));
    }
    return Reflect.get(window, 'shifts');
  });
}

/** Runs in the page. Returns texts and controls outside of the window, except in parts that have their own scrolling. */
function findCutOff(): string[] {
  const clips = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
  const inScroller = (element: Element) => {
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement)
      if (clips(parent)) return true;
    return false;
  };
  const wide =
    document.documentElement.scrollWidth > window.innerWidth ? [`the page is ${document.documentElement.scrollWidth} px wide`] : [];
  const outside = [...document.querySelectorAll('body *')].filter((element) => {
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    if (!text && !element.matches('a, button, input, select, textarea, summary')) return false;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.sr-only, svg')) return false;
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (left < -1 || right > window.innerWidth + 1) && !inScroller(element);
  });
  return [...wide, ...outside.map((element) => element.outerHTML.slice(0, 160))];
}

/** Runs in the page. Returns a number for the focused element, and why it cannot be seen; null if the page has no focus. */
function describeFocus(): { number: number; problem: string | null } | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const known: Element[] = Reflect.get(window, 'stops') ?? [];
  Object.assign(window, { stops: known });
  if (!known.includes(focused)) known.push(focused);
  // If a radio button or a file field is inside its label, the label may be what is visible.
  const drawn = focused instanceof HTMLInputElement && focused.closest('label') ? focused.closest('label') : focused;
  const { left, right, top, bottom } = (drawn ?? focused).getBoundingClientRect();
  const [x1, x2] = [Math.max(left, 0), Math.min(right, window.innerWidth)];
  const [y1, y2] = [Math.max(top, 0), Math.min(bottom, window.innerHeight)];
  const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [x1 + (x2 - x1) * x, y1 + (y2 - y1) * y] as const));
  const shown = points.some(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (drawn?.contains(top) || top.contains(focused));
  });
  const problem = x2 <= x1 || y2 <= y1 ? 'is outside of the window' : shown ? null : 'is covered';
  return { number: known.indexOf(focused), problem: problem && `${focused.outerHTML.slice(0, 160)} ${problem}` };
}

/** Runs in the page. Returns the number of elements that the keyboard must reach. */
function countStops(): number {
  const groups = new Set<string>();
  return [
    ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex], iframe, [contenteditable]'),
  ].filter((element) => {
    if (element.tabIndex < 0 || element.matches(':disabled') || !element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.closest('[inert]') || (element instanceof HTMLInputElement && element.type === 'hidden')) return false;
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    const group = `${element.form?.id} ${element.name}`;
    if (groups.has(group)) return false;
    groups.add(group);
    return true;
  }).length;
}

/** Runs in the page. Returns the amounts that are broken into two lines or reach beyond the window. */
export function findBrokenAmounts(): string[] {
  const broken: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: text } of (node.textContent ?? '').matchAll(/TZS\u00a0[\d,.]*\d|\d{1,3}(,\d{3})+(\.\d\d)?/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + text.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (lines.length > 1 || lines.some(({ right }) => right > innerWidth + 1)) broken.push(text);
    }
  }
  return broken;
}
