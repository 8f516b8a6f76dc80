import { requireBuild } from '@/lib/cli/build/stamp.mjs';
import { installChromium } from '@/testing/find-chromium';
import { unvisitedPages } from './visits';

/** Runs once before the browser tests, which need a build and a browser. Returns what runs after them. */
export default function setup(): () => void {
  requireBuild();
  installChromium();
  return () => {
    if (!isQuickRun()) return;
    const missing = unvisitedPages();
    if (missing.length > 0) {
      throw new Error(`No test without the tag @full visits these pages of app:\n${missing.join('\n')}`);
    }
  };
}

/** Whether this run has all tests of `npm test`: all files, without the tests of the full run. */
function isQuickRun(): boolean {
  const options = process.argv.slice(2).join(' ');
  return /--grep-invert[= ]@full/.test(options) && !/\.spec|--shard/.test(options);
}
