import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

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
    () => install('npx', ['playwright', 'install', 'chromium'], [chromium.executablePath()]),
    () => install('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq chromium'], KNOWN),
  ];
  for (const way of ways) {
    const path = way();
    if (path) return path;
  }
  throw new Error('There is no Chromium and none could be installed: install one, or set CHROMIUM_PATH.');
}

function install(command: string, args: readonly string[], paths: readonly string[]): string | undefined {
  process.stderr.write(`Looking for a browser: ${command} ${args.join(' ')}\n`);
  spawnSync(command, [...args], { stdio: 'ignore', timeout: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  return paths.find((path) => existsSync(path));
}
