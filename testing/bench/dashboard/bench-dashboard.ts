import { parseArgs } from 'node:util';
import { percentile } from '../load';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { type Case, casesOf } from './cases';
import { measureSlowLine } from './slow-line';
import { type Shop, startStage } from './stage';

/** The maximum median time of each page on the server, milliseconds. */
const DEMAND_MS = 200;

interface Timed {
  readonly name: string;
  /** The sorted times of the use case, milliseconds. `page` has the times of its page, or is empty if there is no page. */
  readonly run: readonly number[];
  readonly page: readonly number[];
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      bills: { type: 'string', default: '1000000' },
      few: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '15' },
    },
  });
  const options = { bills: Number(values.bills), few: Number(values.few), rounds: Number(values.rounds) };
  for (const [name, value] of Object.entries(options))
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0`);
  return options;
}

async function main(undo: Undo): Promise<void> {
  const { bills, few, rounds } = readOptions();
  const stage = await startStage(undo);
  const measured: Timed[][] = [];
  let slowLine = '';
  for (const count of [few, bills]) {
    say(`Making ${count} bills…`);
    const began = Date.now();
    const shop = await stage.shop(`Duka ${count}`.replaceAll(' ', '-').toLowerCase(), count);
    say(`Made in ${Math.round((Date.now() - began) / 1_000)} s; measuring…`);
    measured.push(await measure(await casesOf(stage.runtime, shop), shop, rounds));
    slowLine = await measureSlowLine(shop, Math.ceil(rounds / 3), undo);
  }
  const [small = [], large = []] = measured;
  const rows = large.map((one, index) => [one.name, ...cells(small[index]), ...cells(one)]);
  const slowest = large.flatMap(({ run, page }) => [run, page]).map((times) => percentile(times, 0.5));
  process.stdout.write(`
Milliseconds of ${rounds} rounds each, one request at a time: the use case alone (its queries), and the whole page over HTTP.
Left with ${few} bills in the database, right with ${bills} more of one merchant.

${table(['', 'p50', 'p95', 'page p50', 'p95', `p50 (${bills})`, 'p95', 'page p50', 'p95'], rows)}

The slowest median with ${bills} bills is ${Math.max(...slowest.filter((one) => !Number.isNaN(one))).toFixed(0)} ms; ${DEMAND_MS} are allowed.

${slowLine}
`);
}

/** Measures all cases round by round, so that other load on the machine affects all equally. The first round is a warm-up. */
async function measure(cases: readonly Case[], shop: Shop, rounds: number): Promise<Timed[]> {
  const times = cases.map(({ name }) => ({ name, run: [] as number[], page: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { name, run, page }] of cases.entries()) {
      const failed = (error: unknown): never => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      };
      const ran = await timed(run).catch(failed);
      const opened = page === null ? null : await timed(() => shop.open(page)).catch(failed);
      if (round === 0) continue;
      times[index]?.run.push(ran);
      if (opened !== null) times[index]?.page.push(opened);
    }
  }
  return times.map(({ name, run, page }) => ({ name, run: run.sort((a, b) => a - b), page: page.sort((a, b) => a - b) }));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function cells(timed: Timed | undefined): string[] {
  const ms = (times: readonly number[], share: number) => (times.length === 0 ? 'n/a' : percentile(times, share).toFixed(1));
  const { run = [], page = [] } = timed ?? {};
  return [ms(run, 0.5), ms(run, 0.95), ms(page, 0.5), ms(page, 0.95)];
}

await runBench(main);
