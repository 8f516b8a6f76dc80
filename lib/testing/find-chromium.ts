import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installDebianPackage, installProgram } from './install-program';

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium: one that is there, else Playwright's own download, else Debian's package.
 * @returns the path of its program; throws with a sentence when there is none.
 */
export function findChromium(): string {
  const ways = [
    () => [process.env.CHROMIUM_PATH, ...KNOWN, chromium.executablePath()].find((path) => path && existsSync(path)),
    () => installProgram('npx', ['playwright', 'install', 'chromium'], [chromium.executablePath()]),
    () => installDebianPackage('chromium', KNOWN),
  ];
  for (const way of ways) {
    const path = way();
    if (path) return path;
  }
  throw new Error('There is no Chromium and none could be installed: install one, or set CHROMIUM_PATH.');
}
