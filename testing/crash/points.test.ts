import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAIL_POINTS, parseFailPoint } from '@/lib/platform/config/fail-point';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { ALL_DEATHS } from './cases';

test('the crash tests use every fail point', () => {
  const covered = new Set(ALL_DEATHS.map((death) => parseFailPoint(death)?.point));
  expect(FAIL_POINTS.filter((point) => !covered.has(point))).toEqual([]);
});

test('every fail point occurs exactly once in the code', () => {
  const reached = ['app', 'lib'].flatMap(sources).flatMap((text) => [...text.matchAll(/\breach\('([\w.]+)'\)/g)].map(([, point]) => point));
  expect(reached.toSorted()).toEqual([...FAIL_POINTS].toSorted());
});

/** Returns the source texts of the product below a folder. */
function sources(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts|^testing|generated/.test(path))
    .map((path) => readFileSync(join(PROJECT_ROOT, folder, path), 'utf8'));
}
