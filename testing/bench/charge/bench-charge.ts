import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { startChargeStage } from './charge-stage';
import { STAGES } from './charge-times';
import { findRate } from './find-rate';
import { type RateResult, runRate } from './run-rate';

const WARM_UP = { perSecond: 40, seconds: 5 };

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      rates: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      merchants: { type: 'string', default: '20' },
      'median-ms': { type: 'string', default: '500' },
      'p99-ms': { type: 'string', default: '5000' },
    },
  });
  const numbers = (name: keyof typeof values) => {
    const parsed = (values[name] ?? '').split(',').map(Number);
    if (parsed.every((number) => Number.isInteger(number) && number > 0)) return parsed;
    throw new Error(`--${name} must be a whole number above 0`);
  };
  const number = (name: keyof typeof values) => numbers(name)[0] ?? Number.NaN;
  return {
    seconds: number('seconds'),
    rates: values.rates === undefined ? null : numbers('rates'),
    minutes: number('minutes'),
    merchants: number('merchants'),
    medianMs: number('median-ms'),
    p99Ms: number('p99-ms'),
  };
}

async function main(undo: Undo): Promise<void> {
  const options = readOptions();
  const { merchants, medianMs, p99Ms } = options;
  say('Starting PostgreSQL, a web process, a worker, a provider and a receiver…');
  const stage = await startChargeStage(undo, options);
  const run = async (perSecond: number, seconds: number) => {
    say(`Measuring: ${perSecond} charges per second for ${seconds} s…`);
    const result = await runRate(stage, perSecond, seconds);
    say(`  ${result.sustained ? 'sustained' : 'not sustained'}: ${result.achieved.toFixed(0)} per second, backlog ${result.backlog.end}`);
    return result;
  };
  await run(WARM_UP.perSecond, WARM_UP.seconds);
  await stage.runtime.db.query({ text: 'ANALYZE' });
  const results = options.rates
    ? await inTurn(options.rates, (rate) => run(rate, options.seconds))
    : await findRate({ run, seconds: options.seconds, mostMs: options.minutes * 60_000 });

  process.stdout.write(`
Charges of ${merchants} live merchants through M-Pesa, asynchronous. Each bill is created through the API when its time has come, whether or not
earlier requests are answered. The provider calls back after a log-normal delay (median ${medianMs} ms, p99 ${p99Ms} ms), a status query
confirms the payment, and the receiver verifies the signature of the webhook.

Times that Bili adds, p50 / p99 in milliseconds. The total is without the provider's delay and the receiver's time. The backlog is the number
of charges that wait for Bili in the middle and at the end of the time.

${table(['charges/s', 'achieved', ...Object.keys(STAGES), 'backlog', 'refused', 'missing', 'sustained'], results.map(timesRow))}

Processor time per charge, milliseconds. The machine has ${availableParallelism()} processors; the last column is how many of them were busy, with everything
else that ran.

${table(['charges/s', ...Object.keys(results[0]?.cpu ?? {}), 'total', 'busy'], results.map(cpuRow))}
${options.rates ? '' : `\n${verdict(results, options.seconds)}\n`}`);
}

function timesRow({ perSecond, achieved, stages, backlog, refused, missing, sustained }: RateResult): string[] {
  return [
    String(perSecond),
    achieved.toFixed(0),
    ...stages.map(({ p50, p99 }) => `${p50.toFixed(0)} / ${p99.toFixed(0)}`),
    `${backlog.middle}, ${backlog.end}`,
    String(refused),
    String(missing),
    sustained ? 'yes' : 'no',
  ];
}

function cpuRow({ perSecond, cpu, machineBusy }: RateResult): string[] {
  const parts = Object.values(cpu);
  const total = parts.reduce((sum, part) => sum + part, 0);
  return [String(perSecond), ...[...parts, total].map((part) => part.toFixed(2)), machineBusy.toFixed(2)];
}

function verdict(results: readonly RateResult[], seconds: number): string {
  const last = results.filter((result) => result.seconds === seconds && result.sustained).at(-1);
  return last ? `Sustained for ${seconds} s: ${last.perSecond} charges per second.` : `No rate was sustained for ${seconds} s.`;
}

async function inTurn<Item, Value>(items: readonly Item[], work: (item: Item) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await work(item));
  return values;
}

await runBench(main);
