// Builds, checks types, lints and runs tests. The last line has the numbers of passed and failed tests of both runners together. The lines
// before it name the failed tests, because a log that is cut off has only the end.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const USAGE = `Use: npm test [-- --then-full] [--shard 1/4]   the tests that every change needs, and then those that only the full suite has
     npm run test:full [-- --shard 1/4]     all tests
`;

/** The parts of the suite. Tests that only the full suite runs have the tag "full" (Vitest) or "@full" (Playwright). */
const PARTS = {
  common: { name: 'Tests', vitest: ['--tags-filter=!full'], playwright: ['--grep-invert=@full'] },
  fullOnly: { name: 'Tests of the full suite only', vitest: ['--tags-filter=full'], playwright: ['--grep=@full'] },
  all: { name: 'All tests', vitest: [], playwright: [] },
};
const SLOWEST = 20;
/** The maximum number of lines about failed tests, and of the characters of each. */
const FAILED_MAX = 40;
const FAILED_LENGTH = 300;

const NODE = process.execPath;
const results = mkdtempSync(join(tmpdir(), 'bili-results-'));

const options = read();
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { full, 'then-full': thenFull, shard } = options;
const parts = full ? ['all'] : ['common', ...(thenFull ? ['fullOnly'] : [])];

/** The steps of a stage run at the same time. A stage starts only if all required steps of the earlier stages have passed. */
const STAGES = [
  [{ name: 'Build', args: ['lib/cli/bootstrap.mjs', 'build'], required: true }],
  [
    { name: 'Types', args: ['node_modules/typescript/bin/tsc', '-p', '.'], required: true },
    { name: 'Lint and format', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  ],
  ...parts.map(runners),
];

let broken = 0;
for (const stage of STAGES) {
  const codes = await Promise.all(stage.map(runStep));
  broken += codes.filter((code) => code !== 0).length;
  // Without a build or with type errors, the following steps would fail for that reason alone.
  if (stage.some(({ required }, index) => required && codes[index] !== 0)) break;
}

const reports = parts.flatMap((part) => [readVitest(part), readPlaywright(part)]);
rmSync(results, { recursive: true, force: true });
printSlowest(reports.flatMap(({ files }) => files));
printFailed(reports.flatMap(({ failures }) => failures));
const passed = reports.reduce((sum, report) => sum + report.passed, 0);
const failed = reports.reduce((sum, report) => sum + report.failed, 0);
if (broken > 0 && failed === 0) print('\nA check failed: see above.');
print(`\n${passed} passed, ${failed + (failed === 0 ? broken : 0)} failed`);
process.exitCode = broken > 0 || failed > 0 || passed === 0 ? 1 : 0;

/** Returns a stage with both runners. They run at the same time: alone on two cores, each of them uses only two thirds of the processor time. */
function runners(part) {
  const { name, vitest, playwright } = PARTS[part];
  const shards = shard === undefined ? [] : [`--shard=${shard}`];
  return [
    {
      name,
      args: [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${resultPath(part, 'vitest')}`,
        ...vitest,
        ...shards,
      ],
      env: { CI: 'true' },
    },
    {
      name: `${name} in the browser`,
      // A shard, or a part, may be without browser tests.
      args: [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--workers=2',
        '--reporter=list,json',
        '--pass-with-no-tests',
        ...playwright,
        ...shards,
      ],
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: resultPath(part, 'playwright'),
        PLAYWRIGHT_FORCE_TTY: '0',
        // With it, each page is checked in every size, theme and language (e2e/looks.ts).
        TEST_FULL: parts.length === 1 && part === 'common' ? '' : '1',
      },
    },
  ];
}

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

function resultPath(part, runner) {
  return join(results, `${part}-${runner}.json`);
}

/** Returns the counts, how long the tests of each file took, and what failed. */
function readVitest(part) {
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = readJson(resultPath(part, 'vitest'));
  const files = testResults.map(({ name, startTime, endTime }) => ({ path: relative('.', name), ms: endTime - startTime }));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === 'failed');
    // A file that cannot be loaded fails without a test.
    if (tests.length === 0 && status === 'failed') return [describeFailure('Vitest', name, '', message)];
    return tests.map(({ fullName, failureMessages: [error] }) => describeFailure('Vitest', name, fullName, error));
  });
  return { passed, failed, files, failures };
}

function readPlaywright(part) {
  const { stats, suites = [], config, errors = [] } = readJson(resultPath(part, 'playwright'));
  const { expected: passed = 0, unexpected = 0, flaky = 0 } = stats ?? {};
  const files = suites.map((suite) => ({ path: relative('.', join(config.rootDir, suite.file)), ms: durationOf(suite) }));
  const failures = suites.flatMap((suite) => failuresOf(suite, config.rootDir));
  failures.push(...errors.map(({ message, location }) => describeFailure('Playwright', location?.file, '', message)));
  return { passed, failed: unexpected + flaky, files, failures };
}

/** Returns the failed tests of a suite. @param titles the titles of the suites around it */
function failuresOf({ specs = [], suites = [] }, rootDir, titles = []) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const error = results.flatMap(({ errors }) => errors).find(({ message }) => message);
        return describeFailure('Playwright', join(rootDir, file), [...titles, title].join(' '), error?.message);
      }),
  );
  return [...own, ...suites.flatMap((suite) => failuresOf(suite, rootDir, [...titles, suite.title]))];
}

/** Returns a line about a failed test: runner, file, name and the first line of its error. */
function describeFailure(runner, path, name, error) {
  const [reason] = stripVTControlCharacters(error ?? '')
    .trim()
    .split('\n');
  const line = [runner, path ? relative('.', path) : '', name].filter((text) => text !== '').join('  ');
  return `${line}: ${reason}`.slice(0, FAILED_LENGTH);
}

/** Prints the failed tests. If there are too many, the last line says how many are left out. */
function printFailed(failures) {
  if (failures.length === 0) return;
  print('\n== Failed tests');
  const shown = failures.length > FAILED_MAX ? failures.slice(0, FAILED_MAX - 1) : failures;
  for (const line of shown) print(line);
  if (shown.length < failures.length) print(`and ${failures.length - shown.length} more`);
}

/** Returns the sum of the durations of a suite's tests. */
function durationOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)));
  return [...own, ...suites.map(durationOf)].reduce((sum, ms) => sum + ms, 0);
}

/** Prints the files whose tests took longest, because each of them makes every run longer. A file can have tests in two parts. */
function printSlowest(files) {
  const msOf = new Map();
  for (const { path, ms } of files) msOf.set(path, (msOf.get(path) ?? 0) + ms);
  print('\n== Slowest files');
  const slowest = [...msOf].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  for (const [path, ms] of slowest) print(`${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The runner ended before it wrote the report. The run fails anyway because of its exit code.
    return {};
  }
}

/** Parses the arguments. Returns null if they are invalid. */
function read() {
  try {
    const { values } = parseArgs({ options: { full: { type: 'boolean' }, 'then-full': { type: 'boolean' }, shard: { type: 'string' } } });
    return /^[1-9]\d*\/[1-9]\d*$/.test(values.shard ?? '1/1') ? values : null;
  } catch {
    return null;
  }
}
