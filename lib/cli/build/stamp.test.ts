import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bili-stamp-'));
  await mkdir(join(root, 'app'));
  for (const file of ['run.mjs', 'stamp.mjs'])
    await cp(join(PROJECT_ROOT, 'lib', 'cli', 'build', file), join(root, 'lib', 'cli', 'build', file));
  await write('app/page.tsx', 'one');
});
afterEach(() => rm(root, { recursive: true }));

const write = (path: string, text: string) => writeFile(join(root, path), text);

/** Runs a script that imports a copy of the module. Returns its output. */
function run(script: string): string {
  const program = `import { BUILD, PROGRAM, requireBuild, stamp } from './lib/cli/build/stamp.mjs'; import { mkdirSync, writeFileSync } from 'node:fs';`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', `${program} ${script}`], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}
const build = (during = '') =>
  run(`await stamp('product', () => { mkdirSync(BUILD, { recursive: true }); writeFileSync(PROGRAM, ''); ${during} })`);
const check = () => run(`try { requireBuild(); console.log('fresh') } catch (error) { console.log(error.message) }`).trim();

const STALE = 'The build is missing or stale: run "npm run build" first.';

test('a build is up to date until one of its sources changes', async () => {
  expect(check()).toBe(STALE);
  build();
  expect(check()).toBe('fresh');
  await write('app/page.test.tsx', 'a test is no part of it');
  expect(check()).toBe('fresh');
  await write('app/page.tsx', 'two');
  expect(check()).toBe(STALE);
});

test('a build whose files were removed is stale', async () => {
  const pages = () =>
    build(
      "mkdirSync('.next/static', { recursive: true }); for (const name of ['BUILD_ID', 'static/page.js', 'cache']) writeFileSync('.next/' + name, '');",
    );
  pages();
  expect(check()).toBe('fresh');
  await rm(join(root, '.next', 'static'), { recursive: true });
  expect(check()).toBe(STALE);
  pages();
  // Next.js writes its cache again when it needs it.
  await rm(join(root, '.next', 'cache'));
  expect(check()).toBe('fresh');
  await rm(join(root, '.next'), { recursive: true });
  expect(check()).toBe(STALE);
});

test('a change during the build makes it stale', () => {
  build("writeFileSync('app/page.tsx', 'changed meanwhile')");
  expect(check()).toBe(STALE);
});

test('a failed build does not count as the build before it', () => {
  build();
  expect(() => build("throw new Error('broken')")).toThrow('broken');
  expect(check()).toBe(STALE);
});
