import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { requireBuildablePath } from './prepare.mjs';

const COPIED = ['components', 'lib/cli/build', 'lib/platform', 'prisma', 'prisma.config.ts', 'package.json', 'package-lock.json'];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bili-prepare-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const pathOf = (path: string) => join(root, path);
const read = (path: string) => readFileSync(pathOf(path), 'utf8');

function write(path: string, text: string): void {
  mkdirSync(dirname(pathOf(path)), { recursive: true });
  writeFileSync(pathOf(path), text);
}

/** Runs a script in a copy of the repository. Returns its output. */
function run(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}

test('an edit of any script of the pages for customers is built, and a new file of texts is listed', { timeout: 60_000 }, () => {
  for (const path of COPIED) cpSync(join(PROJECT_ROOT, path), pathOf(path), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), pathOf('node_modules'));
  const generate = () => run("import { generate } from './lib/cli/build/prepare.mjs'; await generate();");
  generate();
  for (const [source, script] of [
    ['components/auth/script/help-forms.ts', 'auth-script'],
    ['components/phone/script/ring-page.ts', 'phone-script'],
    ['components/pay/share-script/share-page.ts', 'share-script'],
    ['components/pay/poller/poll-page.ts', 'poller'],
  ] as const) {
    const generated = `components/pay/generated/${script}.ts`;
    expect(read(generated)).not.toContain(`edited ${source}`);
    write(source, `${read(source)}\nwindow.name = 'edited ${source}';\n`);
    generate();
    expect(read(generated)).toContain(`edited ${source}`);
  }
  for (const locale of ['en', 'sw']) write(`lib/platform/i18n/messages/${locale}/new-page.json`, '{}');
  generate();
  expect(read('lib/platform/i18n/messages.ts')).toMatch(/enNewPage.*swNewPage.*\.\.\.enNewPage.*\.\.\.swNewPage/s);
});

test('a program with a source that the build does not watch is refused', () => {
  cpSync(join(PROJECT_ROOT, 'lib/cli/build'), pathOf('lib/cli/build'), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), pathOf('node_modules'));
  write('lib/cli/bili.ts', "import { one } from '../one';\nprocess.stdout.write(one);\n");
  write('lib/cli/command-process.ts', '');
  write('lib/one.ts', "export const one = '1';\n");
  const build = "import { buildProgram } from './lib/cli/build/build-program.mjs'; await buildProgram('.build/bili.mjs');";
  run(build);
  write('elsewhere/two.ts', "export const one = '2';\n");
  write('lib/one.ts', "export { one } from '../elsewhere/two';\n");
  expect(() => run(build)).toThrow('elsewhere/two.ts');
});

test('a path in which the pages cannot be built is refused before the build', () => {
  expect(() => requireBuildablePath('/srv/Duka #1 (é) 100%/bili')).toThrow('#');
  for (const path of ['/srv/Programu za Duka é/bili', '/srv/100%/bili', PROJECT_ROOT])
    expect(() => requireBuildablePath(path)).not.toThrow();
});
