// The way in: plain JavaScript for Node 18 and later, because it runs before anything is installed. It installs what is
// missing, builds what is missing or stale, and hands over to the pinned Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BUILD = join(ROOT, '.build');
const PROGRAM = join(BUILD, 'bili.mjs');
const INSTALLED = join(ROOT, 'node_modules', '.installed');
const BUILT = join(BUILD, 'stamp');
const BUILD_INPUTS = [
  'app',
  'components',
  'lib',
  'prisma',
  'public',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'prisma.config.ts',
  'tsconfig.json',
];
const NOT_BUILT = /(\.test\.tsx?|\.spec\.ts)$|^lib\/(testing|db\/generated|cli\/bootstrap\.mjs)|^prisma\/catalogue\.txt/;
const OLDEST_NODE = 24;
const SOURCE_MAPS = ['--import', pathToFileURL(join(ROOT, 'lib', 'cli', 'source-maps.mjs')).href];

// Commands take and write files relative to where the caller is, which npm hides: it starts us in ROOT.
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
  await install();
  if (command === 'test') return run(nodePath(), [join(ROOT, 'lib', 'testing', 'run-all.mjs'), ...rest]);
  if (command === 'test-model') {
    await generate();
    return run(nodePath(), [join(ROOT, 'lib', 'testing', 'run-model.mjs'), ...rest]);
  }
  if (command === 'test-mutants') {
    await generate();
    return run(nodePath(), [join(ROOT, 'lib', 'testing', 'mutants', 'run-mutants.mjs'), ...rest]);
  }
  if (command === 'docs' || command === 'structure') {
    await generate();
    const { buildTool } = await import('./build-program.mjs');
    const tool = join(BUILD, command, `${command}.mjs`);
    await buildTool(tool, command);
    return run(nodePath(), [...SOURCE_MAPS, tool]);
  }
  if (command === 'build') {
    await build(true);
    return 0;
  }
  if (command === 'dev') {
    await generate();
    const { watchProgram } = await import('./build-program.mjs');
    await watchProgram(PROGRAM);
    return run(nodePath(), [...SOURCE_MAPS, PROGRAM, 'dev', ...rest]);
  }
  await build(false);
  if (command === 'test-fuzz') {
    const fuzz = [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'lib/testing/fuzz/fuzz.test.ts'];
    return run(nodePath(), [...fuzz, ...rest], { env: { ...process.env, FUZZ: 'all' } });
  }
  if (['bench-api', 'bench-accounts', 'bench-flood', 'test-faults', 'bench-webhooks', 'bench-pay', 'bench-dashboard'].includes(command)) {
    const { buildBench } = await import('./build-program.mjs');
    const bench = join(BUILD, 'bench', `${command}.mjs`);
    await buildBench(bench);
    return run(nodePath(), [...SOURCE_MAPS, bench, ...rest]);
  }
  return run(nodePath(), [...SOURCE_MAPS, PROGRAM, command, ...rest]);
}

async function install() {
  const wanted = hashFiles(['package-lock.json']);
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return;
  say('Installing packages (once; about a minute)…');
  const code = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (code !== 0) throw new Error('The packages could not be installed: see above; check the network and try again.');
  writeFileSync(INSTALLED, wanted);
}

/** Builds the pages, and bundles the program. */
async function build(always) {
  const wanted = hashFiles(BUILD_INPUTS);
  if (!always && existsSync(BUILT) && existsSync(PROGRAM) && readFileSync(BUILT, 'utf8') === wanted) return;
  say('Building (once after each change; under a minute)…');
  rmSync(BUILT, { force: true });
  await generate();
  const { buildProgram } = await import('./build-program.mjs');
  const next = run(nodePath(), [join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  const [code] = await Promise.all([next, buildProgram(PROGRAM)]);
  if (code !== 0) throw new Error('The pages could not be built: see above.');
  mkdirSync(BUILD, { recursive: true });
  writeFileSync(BUILT, wanted);
}

/** Prisma's client. Its engine is only looked for, never run, so any program will do; the real one would be downloaded. */
async function generate() {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  const code = await run(nodePath(), [join(ROOT, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  if (code !== 0) throw new Error('The database client could not be generated: see above.');
}

/** The Node that the lock file pins, or the user's own where npm has none for the platform. */
function nodePath() {
  const pinned = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  throw new Error(`Bili needs Node ${OLDEST_NODE} or later on this platform; this is ${process.versions.node}.`);
}

/**
 * Runs a program to its end. Signals are passed on, so that it stops in its own order; it also stops when we are killed, or
 * when whoever started us is. Output that is piped is shown only when the program fails.
 * @returns {Promise<number>} its exit code
 */
function run(program, args, options = {}) {
  const ipc = options.stdio === undefined && program === nodePathOrNull();
  const child = spawn(program, args, { stdio: ipc ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit', ...options });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500);
  orphaned.unref();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(orphaned);
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass);
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

function nodePathOrNull() {
  try {
    return nodePath();
  } catch {
    return null;
  }
}

function hashFiles(paths) {
  const hash = createHash('sha256').update(process.platform).update(process.arch);
  for (const path of paths.flatMap(listFiles).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function listFiles(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .flatMap((name) => listFiles(relative(ROOT, join(full, name)).replaceAll('\\', '/')))
    .filter((file) => !NOT_BUILT.test(file));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
