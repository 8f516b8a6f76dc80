// Quick feedback in under a minute: types, lint and the quick tests in parallel. The last line has the numbers of passed and failed tests.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const results = mkdtempSync(join(tmpdir(), 'bili-results-'));
const json = join(results, 'vitest.json');

const STEPS = [
  { name: 'Types', args: ['lib/cli/bootstrap.mjs', 'typecheck'] },
  { name: 'Lint and format', args: ['lib/cli/bootstrap.mjs', 'lint'] },
  {
    name: 'Tests',
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=testing/unit.config.ts',
      '--tags-filter=!full',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${json}`,
    ],
  },
];

const outcomes = await Promise.all(STEPS.map(runStep));
const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = readResults();
rmSync(results, { recursive: true, force: true });
const broken = outcomes.filter((code) => code !== 0).length;
if (broken > 0 && failed === 0) process.stdout.write('\nA check failed: see above.\n');
process.stdout.write(`\n${passed} passed, ${failed === 0 ? broken : failed} failed\n`);
process.exitCode = broken > 0 || passed === 0 ? 1 : 0;

/** Runs a step and prints its output when it has ended, so that the outputs do not mix. @returns its exit code */
function runStep({ name, args }) {
  const started = performance.now();
  // Hides Vite's notice that it will change how it loads configurations.
  const env = { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) =>
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const outcome = code === 0 ? 'passed' : `FAILED (${code})`;
      process.stdout.write(`\n== ${name}\n${Buffer.concat(output)}== ${name}: ${outcome} in ${seconds} s\n`);
      resolve(code ?? 1);
    }),
  );
}

function readResults() {
  try {
    return JSON.parse(readFileSync(json, 'utf8'));
  } catch {
    // Vitest ended before it wrote the report. The run fails anyway because of its exit code.
    return {};
  }
}
