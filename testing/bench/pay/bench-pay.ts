import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { installChromium } from '@/testing/find-chromium';
import { type Product, startProduct } from '@/testing/product';
import { median } from '../load';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { startEmptyNext } from './empty-next';
import { type Line, measurePage, type PageCost } from './measure-page';

/** A cheap phone on a 3G connection. */
const LINE: Line = { roundTripMs: 300, bitsPerSecond: 700_000, cpuSlowdown: 6 };

function readRounds(): number {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number above 0');
  return rounds;
}

async function main(undo: Undo): Promise<void> {
  const rounds = readRounds();
  say('Starting Bili, and building an empty page of Next.js…');
  const product = await startProduct({ SANDBOX_DELAY_FACTOR: '1' });
  undo.push(() => product.dispose());
  const empty = await startEmptyNext(undo);
  const browser = await chromium.launch({ executablePath: installChromium(), args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  undo.push(() => browser.close());

  const pages: [name: string, url: string][] = [
    ['pay page, form', await billPage(product, { amount: 12_500.5, reference: 'ORDER-1' })],
    ['pay page, look at your phone', await billPage(product, { amount: 5_000, reference: 'ORDER-2', mobile: '0712345005' })],
    ['empty Next.js page', empty],
  ];
  const costs = new Map<string, PageCost[]>(pages.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'Warming up…' : `Round ${round} of ${rounds}…`);
    for (const [name, url] of pages) {
      const cost = await measurePage(browser, url, LINE);
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  process.stdout.write(`
Chromium at ${LINE.roundTripMs} ms round trip, ${LINE.bitsPerSecond / 1_000} kbit/s and a processor ${LINE.cpuSlowdown} times slower, by the DevTools
protocol, which adds the round trip to each request and none for connecting. Medians of ${rounds} first visits each,
the pages one after another in every round. Weight is what came over the wire, headers included.

${table(['page', 'requests', 'kB', 'kB of scripts', 'first contentful paint ms'], [...costs].map(describe))}
`);
}

function describe([name, costs]: [string, PageCost[]]): string[] {
  const of = (pick: (cost: PageCost) => number) => median(costs.map(pick));
  return [
    name,
    of(({ requests }) => requests).toFixed(0),
    (of(({ bytes }) => bytes) / 1_000).toFixed(1),
    (of(({ scriptBytes }) => scriptBytes) / 1_000).toFixed(1),
    of(({ paintMs }) => paintMs).toFixed(0),
  ];
}

async function billPage({ demo, liveUrl }: Product, bill: object): Promise<string> {
  const { baseUrl, apiKey, apiSecret } = demo.sandbox;
  const response = await fetch(`${baseUrl}/api/v3/bills/create`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}:${apiSecret}`, 'content-type': 'application/json' },
    body: JSON.stringify(bill),
  });
  const created: unknown = await response.json();
  if (typeof created === 'object' && created !== null && 'webPayUrl' in created) return String(created.webPayUrl);
  throw new Error(`${liveUrl}: the bill was not created: ${response.status}`);
}

await runBench(main);
