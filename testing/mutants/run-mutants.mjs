// Puts known defects into the product, one at a time, and expects the model test to detect each: `npm run test:mutants`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants.mjs';

const USAGE = 'Use: npm run test:mutants -- [--runs N] [--seed N] [--only "part of a name"]…\n';
const AT_ONCE = 2;
const FOUND = 'Property failed after';

const options = read();
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const chosen = MUTANTS.filter(({ name }) => options.only.some((part) => name.includes(part)));
const wrong = chosen.filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2);
for (const { name, file } of wrong) say('NO PATCH', name, `${file} does not have its text once`);

const run = chosen.filter((mutant) => !wrong.includes(mutant) && mutant.notRun === undefined);
for (const { name, notRun } of chosen) if (notRun !== undefined) say('not run', name, notRun);
const left = run.slice();
const survived = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.stdout.write(`\n${run.length - survived.length} of ${run.length} defects found\n`);
process.exitCode = wrong.length > 0 || survived.length > 0 || run.length === 0 ? 1 : 0;

async function work() {
  for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
    const began = performance.now();
    const output = await test(mutant);
    const found = output.includes(FOUND);
    if (!found) survived.push(mutant);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    const after = /Property failed after (\d+) tests/.exec(output)?.[1];
    const how = /random histories: (\w+)/.exec(output.slice(output.indexOf('FAIL')))?.[1];
    const why = /Caused by: (.*)/.exec(output)?.[1] ?? '';
    say(found ? 'found' : 'SURVIVED', mutant.name, found ? `after ${after} histories (${how}), ${seconds} s. ${why}` : `${seconds} s`);
    if (!found && !/Tests .*passed/.test(output)) process.stdout.write(output.slice(-3_000));
  }
}

/** Runs the model test on the product with a defect. Returns its output. */
function test({ name, profile }) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--config', 'testing/mutants/vitest.config.mjs'];
  const env = {
    ...process.env,
    NO_COLOR: '1',
    MODEL_MUTANT: name,
    MODEL_RUNS: options.runs,
    MODEL_SEED: options.seed,
    MODEL_SHRINK: 'no',
    ...(profile && { MODEL_PROFILE: profile }),
  };
  const child = spawn(process.execPath, [...args, 'lib/gateway/payments/model.test.ts'], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on('close', () => resolve(output)));
}

function say(what, name, more) {
  process.stdout.write(`${what.padEnd(9)} ${name}: ${more}\n`);
}

/** Parses the arguments. Returns null if they are invalid. */
function read() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({
      options: { runs: { ...text, default: '600' }, seed: { ...text, default: '7' }, only: { ...text, multiple: true, default: [''] } },
    });
    return [values.runs, values.seed].every((number) => /^\d+$/.test(number)) && Number(values.runs) > 0 ? values : null;
  } catch {
    return null;
  }
}
