import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import base from '../vitest.config';
import { quickTests } from './structure/test-kinds';

/** The tests of `npm run test:unit`. */
export default defineConfig({ ...base, test: { ...base.test, include: quickTests(changedFiles()) } });

/** @returns the files that differ from the last commit; none without Git. */
function changedFiles(): string[] {
  try {
    const status = execFileSync('git', ['status', '--porcelain', '--no-renames', '-uall'], { encoding: 'utf8', stdio: 'pipe' });
    return status.split('\n').map((line) => line.slice(3));
  } catch {
    return [];
  }
}
