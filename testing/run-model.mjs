// Runs many histories of the model test: `npm run test:model -- --runs 100000`. A failure prints the seed, the path and the replay path.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE =
  'Use: npm run test:model -- [--runs N] [--processes N] [--profile everything|leasesLost|money|answersLost|failover|corrections] [--seed N] [--path P --replay R]   as a failure printed them\n';

const options = read();
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { runs, processes, profile, seed, path, replay } = options;
const env = {
  ...process.env,
  MODEL_RUNS: String(Math.ceil(Number(runs) / Number(processes))),
  ...(profile !== undefined && { MODEL_PROFILE: profile }),
  ...(seed !== undefined && { MODEL_SEED: seed }),
  ...(path !== undefined && { MODEL_PATH: path }),
  ...(replay !== undefined && { MODEL_REPLAY: replay }),
};
const args = ['node_modules/vitest/vitest.mjs', 'run', 'lib/gateway/payments/model.test.ts'];
const codes = await Promise.all(Array.from({ length: Number(processes) }, run));
process.exitCode = codes.find((code) => code !== 0) ?? 0;

function run() {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

/** Parses the arguments. Returns null if they are invalid. */
function read() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({
      options: {
        runs: { ...text, default: '10000' },
        processes: { ...text, default: '1' },
        profile: text,
        seed: text,
        path: text,
        replay: text,
      },
    });
    const numbers = [values.runs, values.processes, values.seed ?? '0'].every((number) => /^-?\d+$/.test(number));
    // Several processes with the same seed would run the same histories, so these options exclude each other.
    const several = Number(values.processes) > 1 && values.seed !== undefined;
    return numbers && Number(values.runs) > 0 && Number(values.processes) > 0 && !several ? values : null;
  } catch {
    return null;
  }
}
