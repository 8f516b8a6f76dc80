// The entry point: plain JavaScript for Node 18 and later, because it runs before the installation. It installs missing packages,
// builds what is missing or stale, and runs the rest with the pinned Node.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, buildSite, findMissingPackage, generate, install, requireBuildablePath } from './build/prepare.mjs';
import { ROOT, runNode } from './build/run.mjs';
import { BUILD, PROGRAM, requireBuild } from './build/stamp.mjs';

const SOURCE_MAPS = ['--import', pathToFileURL(join(ROOT, 'lib', 'cli', 'source-maps.mjs')).href];
const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const PRISMA = join(ROOT, 'node_modules', 'prisma', 'build', 'index.js');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
const testing = (...path) => join(ROOT, 'testing', ...path);
const BENCHES = ['bench-api', 'bench-charge', 'test-faults', 'bench-webhooks', 'bench-pay', 'bench-dashboard'];

/** Tasks for developers. Each gets the arguments after its name. @type {Record<string, (rest: string[]) => Promise<number>>} */
const TASKS = {
  build: async () => {
    await build({ always: true });
    return 0;
  },
  dev: async (rest) => {
    requireBuildablePath();
    await generate();
    await buildSite();
    const { watchProgram } = await import('./build/build-program.mjs');
    await watchProgram(PROGRAM);
    return runProgram(['dev', ...rest]);
  },
  lint: (rest) => runNode([BIOME, 'check', '--error-on-warnings', ...(rest.length > 0 ? rest : ['.'])]),
  format: (rest) => runNode([BIOME, 'check', '--write', ...(rest.length > 0 ? rest : ['.'])]),
  typecheck: async (rest) => {
    await generate();
    // Next.js leaves the types of deleted pages here. They would fail the type check.
    for (const old of ['types', join('dev', 'types')]) rmSync(join(ROOT, '.next', old), { recursive: true, force: true });
    return runNode([TSC, '-p', '.', ...rest]);
  },
  test: (rest) => runNode([testing('run-all.mjs'), ...rest]),
  'test-full': (rest) => runNode([testing('run-all.mjs'), '--full', ...rest]),
  'test-unit': after(generate, [testing('run-unit.mjs')]),
  'test-e2e': after(build, [PLAYWRIGHT, 'test']),
  gallery: after(build, [testing('gallery', 'run-gallery.mjs')]),
  texts: () => runNode([testing('gallery', 'write-texts.mjs')]),
  'test-model': after(generate, [testing('run-model.mjs')]),
  'test-mutants': after(generate, [testing('mutants', 'run-mutants.mjs')]),
  'test-fuzz': after(build, [testing('fuzz', 'run-fuzz.mjs')]),
  release: async () => {
    await build();
    const { makeRelease } = await import('./build/release.mjs');
    process.stdout.write(`${await makeRelease()}\n`);
    return 0;
  },
  'test-release': after(build, [VITEST, 'run', '--config=testing/release/release.config.ts'], {
    // Hides the notice of Vite about a future change in how it loads configurations.
    VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
  }),
  'db-studio': (rest) => runNode([PRISMA, 'studio', ...rest]),
  docs: () => runTool('docs'),
  structure: () => runTool('structure'),
  ...Object.fromEntries(BENCHES.map((name) => [name, (rest) => runBench(name, rest)])),
};

// Commands read and write files relative to the caller's folder. npm starts programs in ROOT, and stores the caller's folder in INIT_CWD.
const { INIT_CWD, npm_package_json: startedBy } = process.env;
const startedByNpm = INIT_CWD !== undefined && startedBy === join(ROOT, 'package.json') && process.cwd() === ROOT;
process.env.BILI_CALLER_FOLDER = startedByNpm ? INIT_CWD : process.cwd();
process.chdir(ROOT);

const [command = '--help', ...rest] = process.argv.slice(2);
try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

async function main() {
  // Processes of a deployment never install or build. "npm run build" or a release does that.
  if (command === 'web' || command === 'worker') {
    if (findMissingPackage(ROOT) !== null) throw new Error('The packages are not installed: run "npm run build" first.');
    requireBuild();
    return runProgram([command, ...rest]);
  }
  await install();
  if (Object.hasOwn(TASKS, command)) return TASKS[command](rest);
  await build();
  return runProgram([command, ...rest]);
}

/** Returns a task that runs a script after `prepare`, with the arguments of the task and more environment variables. */
function after(prepare, script, env = {}) {
  return async (rest) => {
    await prepare();
    return runNode([...script, ...rest], { env: { ...process.env, ...env } });
  };
}

function runProgram(args) {
  return runNode([...SOURCE_MAPS, PROGRAM, ...args]);
}

async function runTool(name) {
  await generate();
  const { buildTool } = await import('./build/build-program.mjs');
  const tool = join(BUILD, name, `${name}.mjs`);
  await buildTool(tool, name);
  return runNode([...SOURCE_MAPS, tool]);
}

async function runBench(name, args) {
  await build();
  const { buildBench } = await import('./build/build-program.mjs');
  const bench = join(BUILD, 'bench', `${name}.mjs`);
  await buildBench(bench);
  return runNode([...SOURCE_MAPS, bench, ...args]);
}
