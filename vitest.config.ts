import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.tsx'],
    // Packs a release first: npm run test:release.
    exclude: ['lib/testing/release/**'],
    globalSetup: 'lib/testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Files share a worker's modules, which saves a quarter of the time; each still has a database of its own.
    isolate: false,
    expect: { requireAssertions: true },
  },
});
