import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installDebianPackage, installProgram } from './install-program';

const SHELL = '/usr/bin/chromium-headless-shell';
// The headless shell comes first. It is Chromium without windows, and needs less than half as much processor time.
const KNOWN = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of Chromium: CHROMIUM_PATH, an installed one, or Playwright's. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...KNOWN, chromium.executablePath()].find((path) => path && existsSync(path));
}

/** Finds or installs Chromium: Playwright's download, otherwise a Debian package. Throws if that fails. */
export function installChromium(): string {
  const path =
    findChromium() ??
    installProgram('npx', ['playwright', 'install', 'chromium'], [chromium.executablePath()]) ??
    installDebianPackage('chromium-headless-shell', [SHELL]) ??
    installDebianPackage('chromium', KNOWN);
  if (path) return path;
  throw new Error('There is no Chromium and none could be installed: install one, or set CHROMIUM_PATH.');
}
