import { defineConfig } from 'vitest/config';
import base from '../../vitest.config';

/** The configuration of `npm run test:release`. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['testing/release/*.test.ts'], exclude: [], testTimeout: 120_000 },
});
