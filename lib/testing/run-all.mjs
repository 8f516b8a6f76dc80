// Runs all checks, the build and all tests. The last line has the numbers of passed and failed tests of all runners together.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const NODE = process.execPath;
const results = mkdtempSync(join(tmpdir(), 'bili-results-'));
const vitestJson = join(results, 'vitest.json');
const playwrightJson = join(results, 'playwright.json');

/**
 * The steps of a stage run at the same time. A stage starts only if all steps of the earlier stages have passed. Exception: lint may fail.
 */
const STAGES = [
  [{ name: 'Build', args: ['lib/cli/bootstrap.mjs', 'build'], required: true }],
  [
    { name: 'Types', args: ['node_modules/typescript/bin/tsc', '-p', '.'], required: true },
    { name: 'Lint and format', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  ],
  // These two run at the same time. Alone on a machine with two cores, each of them uses only two thirds of the processor time.
  [
    {
      name: 'Tests',
      args: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestJson}`],
      env: { CI: 'true' },
    },
    {
      name: 'Browser tests',
      args: ['node_modules/@playwright/test/cli.js', 'test', '--workers=2', '--reporter=list,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightJson, PLAYWRIGHT_FORCE_TTY: '0' },
    },
  ],
];

let broken = 0;
for (const stage of STAGES) {
  const codes = await Promise.all(stage.map(runStep));
  broken += codes.filter((code) => code !== 0).length;
  // Without a build or with type errors, the following steps would fail for that reason alone.
  if (stage.some(({ required }, index) => required && codes[index] !== 0)) break;
}

const [vitest, playwright] = [readVitest(), readPlaywright()];
rmSync(results, { recursive: true, force: true });
const passed = vitest.passed + playwright.passed;
const failed = vitest.failed + playwright.failed;
if (broken > 0 && failed === 0) process.stdout.write('\nA check failed: see above.\n');
process.stdout.write(`\n${passed} passed, ${failed + (failed === 0 ? broken : 0)} failed\n`);
process.exitCode = broken > 0 || failed > 0 || passed === 0 ? 1 : 0;

/** Runs a step and passes on whole lines of its output, so that the lines of two steps do not mix. @returns its exit code */
function runStep({ name, args, env }) {
  const started = performance.now();
  print(`\n== ${name}`);
  const child = spawn(NODE, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', print);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      print(`== ${name}: ${code === 0 ? 'passed' : `FAILED (${code})`} in ${seconds} s`);
      resolve(code ?? 1);
    }),
  );
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

function readVitest() {
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = readJson(vitestJson);
  return { passed, failed };
}

function readPlaywright() {
  const { expected: passed = 0, unexpected = 0, flaky = 0 } = readJson(playwrightJson).stats ?? {};
  return { passed, failed: unexpected + flaky };
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The runner ended before it wrote the report. The run fails anyway because of its exit code.
    return {};
  }
}
