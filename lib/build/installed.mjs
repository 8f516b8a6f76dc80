import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares the installed packages with package-lock.json. npm writes its own list into node_modules at the end of an installation, so an
 * interrupted installation is detected.
 * @returns {string | null} the path of a package that is missing or has the wrong version; "all packages" if npm's list is missing; null
 * if all packages are installed
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
  }
  return null;
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
