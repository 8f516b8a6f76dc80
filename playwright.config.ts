import { defineConfig } from '@playwright/test';
import { findChromium } from './lib/testing/find-chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // More than the cores: a browser test waits for most of its time.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  use: {
    locale: 'en-GB',
    viewport: { width: 360, height: 740 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
