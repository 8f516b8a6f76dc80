import type { Browser, BrowserContext, Page } from '@playwright/test';

/** What loading a page costs a visitor. */
export interface PageCost {
  readonly requests: number;
  /** Bytes on the wire, including headers. */
  readonly bytes: number;
  /** Bytes of scripts on the wire. */
  readonly scriptBytes: number;
  /** First contentful paint, milliseconds from the start of the navigation. */
  readonly paintMs: number;
}

/** Round-trip time in ms, bits per second, and how many times slower the processor is than this machine's. */
export interface Line {
  readonly roundTripMs: number;
  readonly bitsPerSecond: number;
  readonly cpuSlowdown: number;
}

/** A window of phone size. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'sw-TZ' } as const;

/** Opens a page without a cache, in a window of phone size, over a slow connection. */
export async function measurePage(browser: Browser, url: string, line: Line): Promise<PageCost> {
  const context = await browser.newContext(PHONE);
  try {
    const { page, cost } = await openSlowTab(context, line);
    await page.goto(url, { waitUntil: 'networkidle' });
    return { ...cost, paintMs: await firstPaint(page) };
  } finally {
    await context.close();
  }
}

export function firstPaint(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);
}

/** Opens a tab with a slow connection and processor. Returns it with what it has loaded so far. */
export async function openSlowTab(context: BrowserContext, { roundTripMs, bitsPerSecond, cpuSlowdown }: Line) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const types = new Map<string, string>();
  const cost = { requests: 0, bytes: 0, scriptBytes: 0 };
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.url.startsWith('http')) types.set(requestId, type);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type === undefined) return;
    cost.requests += 1;
    cost.bytes += encodedDataLength;
    if (type === 'Script') cost.scriptBytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  const throughput = bitsPerSecond / 8;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  return { page, cost };
}
