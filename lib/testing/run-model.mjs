// The model test at length: `npm run test:model -- --runs 100000`. A failure prints the seed, the path and the replay path.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE = 'Use: npm run test:model -- [--runs N] [--seed N] [--path P --replay R]   as a failure printed them\n';

const options = read();
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { runs, seed, path, replay } = options;
const env = {
  ...process.env,
  MODEL_RUNS: runs,
  ...(seed !== undefined && { MODEL_SEED: seed }),
  ...(path !== undefined && { MODEL_PATH: path }),
  ...(replay !== undefined && { MODEL_REPLAY: replay }),
};
const args = ['node_modules/vitest/vitest.mjs', 'run', 'lib/payments/model.test.ts'];
const child = spawn(process.execPath, args, { stdio: 'inherit', env });
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});

/** @returns null when they make no sense. */
function read() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({ options: { runs: { ...text, default: '10000' }, seed: text, path: text, replay: text } });
    const numbers = [values.runs, values.seed ?? '0'].every((number) => /^-?\d+$/.test(number));
    return numbers && Number(values.runs) > 0 ? values : null;
  } catch {
    return null;
  }
}
