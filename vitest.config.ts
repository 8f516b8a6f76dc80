import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that run for up to a minute and a half, and spend most of this time waiting. */
const SLOW = /\/(gateway\/payments\/model\.test|testing\/crash\/)/;

/** Starts the slow files first. If a slow file ran last, the other workers would have nothing to do meanwhile. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { slow = [], quick = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) => (SLOW.test(moduleId) ? 'slow' : 'quick'));
    return [...slow, ...quick];
  }
}

declare module 'vitest' {
  interface TestTags {
    tags: 'full';
  }
}

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ['{lib,testing,components}/**/*.test.{ts,tsx}'],
    // These tests need a packed release: npm run test:release.
    exclude: ['testing/release/**'],
    globalSetup: 'testing/global-setup.ts',
    // `npm test` leaves out what has this tag: a test, a group, or a file that begins with `// @module-tag full`. Without a filter, as in
    // `npx vitest run lib/gateway`, all tests run.
    tags: [{ name: 'full', description: 'Only `npm run test:full` runs this.' }],
    // Vitest and the browser tests share two processors, perhaps with other programs, so a test can take many times as long as alone.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    // The test files that a worker runs share its modules, which saves a quarter of the time. Each file still has a database of its own.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // The default of one second is too short on a busy machine.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
  },
});
