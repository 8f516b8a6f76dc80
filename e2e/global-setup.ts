import { requireBuild } from '@/lib/build/stamp.mjs';
import { installChromium } from '@/lib/testing/find-chromium';

/** Runs once before the browser tests, which need a build and a browser. */
export default function setup(): void {
  requireBuild();
  installChromium();
}
