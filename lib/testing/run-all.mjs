// Runs all checks, the build and all tests. The last line is the sum over all runners.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE = process.execPath;
const results = mkdtempSync(join(tmpdir(), 'bili-results-'));
const vitestJson = join(results, 'vitest.json');
const playwrightJson = join(results, 'playwright.json');

const STEPS = [
  { name: 'Build', args: ['lib/cli/bootstrap.mjs', 'build'] },
  { name: 'Types', args: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'Lint and format', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  {
    name: 'Tests',
    args: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestJson}`],
    env: { CI: 'true' },
  },
  {
    name: 'Browser tests',
    args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightJson, PLAYWRIGHT_FORCE_TTY: '0' },
  },
];

let broken = 0;
for (const { name, args, env } of STEPS) {
  const started = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const code = await run(args, env);
  process.stdout.write(
    `== ${name}: ${code === 0 ? 'passed' : `FAILED (${code})`} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
  if (code !== 0) broken += 1;
  // Without a build or with type errors, the following steps would fail for that reason alone.
  if (code !== 0 && (name === 'Build' || name === 'Types')) break;
}

const [vitest, playwright] = [readVitest(), readPlaywright()];
rmSync(results, { recursive: true, force: true });
const passed = vitest.passed + playwright.passed;
const failed = vitest.failed + playwright.failed;
if (broken > 0 && failed === 0) process.stdout.write('\nA check failed: see above.\n');
process.stdout.write(`\n${passed} passed, ${failed + (failed === 0 ? broken : 0)} failed\n`);
process.exitCode = broken > 0 || failed > 0 || passed === 0 ? 1 : 0;

function run(args, env = {}) {
  const child = spawn(NODE, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
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
