import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { MUTANTS } from './mutants.mjs';

test('every defect still applies to the current code', () => {
  const lost = MUTANTS.filter(({ file, from }) => readFileSync(join(PROJECT_ROOT, file), 'utf8').split(from).length !== 2);
  expect(lost.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
  expect(MUTANTS.length).toBeGreaterThan(40);
});
