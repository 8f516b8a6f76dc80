import { defineConfig } from '@playwright/test';
import { findChromium } from './testing/find-chromium';

// Nothing is installed here: tools load this file only to read it. The global set-up installs a browser if there is none.
const chromium = findChromium();

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup',
  outputDir: 'test-results',
  // On a busy machine, a test takes many times as long as alone. The gallery takes many pictures of each page.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // There are more workers than cores, because a browser test waits for most of its time.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  use: {
    locale: 'en-GB',
    viewport: { width: 360, height: 740 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium && { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Pages live for seconds, so optimising their code costs more processor time than it saves.
        '--js-flags=--no-opt --no-maglev --single-threaded --max-lazy --min-semi-space-size=32 --max-semi-space-size=32',
      ],
    },
  },
});
