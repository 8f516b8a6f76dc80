import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installDebianPackage, installProgram } from './install-program';

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @returns the path of a Chromium that is there: the one CHROMIUM_PATH names, an installed one, or Playwright's own. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...KNOWN, chromium.executablePath()].find((path) => path && existsSync(path));
}

/**
 * Finds a Chromium, or installs one: Playwright's own download, else Debian's package.
 * @returns the path of its program; throws with a sentence when there is none.
 */
export function installChromium(): string {
  const path =
    findChromium() ??
    installProgram('npx', ['playwright', 'install', 'chromium'], [chromium.executablePath()]) ??
    installDebianPackage('chromium', KNOWN);
  if (path) return path;
  throw new Error('There is no Chromium and none could be installed: install one, or set CHROMIUM_PATH.');
}
