import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeTemplate } from './cluster';
import { describeOutcome, summaryTable } from './report';
import { failed, type Outcome, runScenario } from './run-scenario';
import type { Drive, Scenario } from './scenario';
import { SCENARIOS } from './scenarios';

const USAGE = `Use: npm run test:faults -- [--only NAME]… [--per-second N] [--bills N] [--keep]
  --only        one scenario, or several separated by commas: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --per-second  bills created each second, 40 by default
  --bills       bills of every-way, 5000 by default
  --keep        keeps the folder with data and logs, also of what passed
`;

interface Choice {
  readonly chosen: readonly (Scenario | Drive)[];
  readonly perSecond: number;
  readonly bills: number;
  readonly keep: boolean;
}

function readArguments(): Choice | string {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: [] },
        'per-second': { type: 'string', default: '40' },
        bills: { type: 'string', default: '5000' },
        keep: { type: 'boolean', default: false },
      },
    });
    const names = values.only.flatMap((text) => text.split(','));
    const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
    const perSecond = Number(values['per-second']);
    const bills = Number(values.bills);
    if (unknown.length > 0) return `There is no scenario "${unknown[0]}".`;
    if (!(perSecond >= 1 && perSecond <= 1_000)) return '--per-second must be a number from 1 to 1000.';
    if (!(Number.isInteger(bills) && bills >= 1 && bills <= 100_000)) return '--bills must be a number from 1 to 100000.';
    const chosen = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
    return { chosen, perSecond, bills, keep: values.keep };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const stopping = new AbortController();
const isStopped = () => stopping.signal.aborted;
const stopped = new Promise<Outcome>((resolve) => {
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) {
    process.once(event, () => {
      stopping.abort();
      resolve({ kind: 'broken', why: 'it was stopped' });
    });
  }
});

/** Runs a scenario and returns its result, even if it cannot be completed. */
async function runOne(scenario: Scenario | Drive, base: string, template: string, { perSecond, bills, keep }: Choice): Promise<Outcome> {
  const folder = join(base, scenario.name);
  await mkdir(folder);
  const steps: (() => Promise<unknown>)[] = [];
  const options = { template, folder, undo: (step: () => Promise<unknown>) => void steps.push(step) };
  const run = async (): Promise<Outcome> =>
    'drive' in scenario
      ? { kind: 'drove', ...(await scenario.drive(options, { bills, perSecond })) }
      : runScenario(scenario, options, perSecond);
  const outcome = await Promise.race([run(), stopped]).catch(
    (error: unknown): Outcome => ({ kind: 'broken', why: error instanceof Error ? error.message : String(error) }),
  );
  for (const step of steps.reverse()) await step();
  if (failed(outcome) || keep) process.stderr.write(`  data and logs: ${folder}\n`);
  else await rm(folder, { recursive: true, force: true });
  return outcome;
}

async function main(choice: Choice): Promise<number> {
  const base = await mkdtemp(join(tmpdir(), 'bili-faults-'));
  const outcomes = new Map<string, Outcome>();
  process.stderr.write('Making a migrated database…\n');
  const template = await makeTemplate(join(base, 'template'));
  for (const scenario of choice.chosen) {
    if (isStopped()) break;
    process.stderr.write(`${scenario.name}: ${scenario.what}…\n`);
    const outcome = await runOne(scenario, base, template, choice);
    outcomes.set(scenario.name, outcome);
    process.stdout.write(describeOutcome(scenario, outcome));
  }
  process.stdout.write(`\n${summaryTable(outcomes)}\n`);
  const anyFailed = [...outcomes.values()].some(failed);
  if (!anyFailed && !choice.keep) await rm(base, { recursive: true, force: true });
  return anyFailed ? 1 : 0;
}

const choice = readArguments();
if (typeof choice === 'string') {
  process.stderr.write(`${choice}\n${USAGE}`);
  process.exit(2);
}
process.exit(await main(choice));
