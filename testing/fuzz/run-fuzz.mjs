// Runs the fuzzers at length: `npm run test:fuzz`. If the API fuzzer fails, it prints a seed, and `--seed` repeats the failure.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE = 'Use: npm run test:fuzz -- [--only cost|api] [--requests N] [--seed N]\n';
const FILES = { cost: 'testing/fuzz/fuzz.test.ts', api: 'testing/openapi/fuzz.test.ts' };

const options = read();
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { only, requests, seed } = options;
const files = Object.entries(FILES).flatMap(([name, file]) => (only === undefined || only === name ? [file] : []));
const env = { ...process.env, FUZZ: 'all', FUZZ_REQUESTS: requests, ...(seed !== undefined && { FUZZ_SEED: seed }) };
// The fuzzers run one after the other, because the first one measures processor time.
const args = ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', ...files];
const child = spawn(process.execPath, args, { stdio: 'inherit', env });
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});

/** Parses the arguments. Returns null if they are invalid. */
function read() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({ options: { only: text, requests: { ...text, default: '20000' }, seed: text } });
    const known = values.only === undefined || Object.hasOwn(FILES, values.only);
    const numbers = /^[1-9]\d*$/.test(values.requests) && /^-?\d+$/.test(values.seed ?? '0');
    return known && numbers ? values : null;
  } catch {
    return null;
  }
}
