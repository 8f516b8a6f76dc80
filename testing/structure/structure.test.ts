import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { unusedExports } from './exports';
import { readSourceFiles, type SourceFile } from './source-files';
import { countStatements } from './statements';
import { fileCycles, folderCycles, homelessFiles, upwardImports } from './storeys';
import { WALKS, walkProblems } from './walks';

const files = readSourceFiles();

test('every file belongs to a storey, and imports only its own and lower storeys', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(homelessFiles(files)).toEqual([]);
  expect(upwardImports(files)).toEqual([]);
});

test('the folders of a storey have no import cycle, and no files import each other', () => {
  expect(folderCycles(files)).toEqual([]);
  expect(fileCycles(files)).toEqual([]);
});

test('no act passes more files than it may', () => {
  expect(WALKS.flatMap((walk) => walkProblems(walk, files))).toEqual([]);
});

test('docs/architecture.md has the files of every walk', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'architecture.md'), 'utf8');
  const rows = WALKS.map(({ act, files: passed }) => `| ${act} | ${passed.map((path) => `\`${path}\``).join(' → ')} |`);
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test('every export is imported somewhere', () => {
  expect(unusedExports(files)).toEqual([]);
});

test('no SQL has an unchecked row type', () => {
  expect(countStatements(files.filter(({ isProduct }) => isProduct))).toMatchObject({ unchecked: 0 });
});

/** Packages and modules whose work takes place on libuv's four threads, or in threads of its own. `crc32` is excepted: it is short. */
const NATIVE =
  /from '(?:sharp|@resvg\/resvg-js|@node-rs\/argon2|yauzl|yazl)'|import\('(?:sharp|@resvg\/resvg-js)'\)|import \{ (?!crc32 \})[^}]+ \} from 'node:zlib'/;
/** Native work that needs no queue. The value says why. */
const NEEDS_NO_QUEUE: Readonly<Record<string, string>> = {
  'lib/cli/backup/make-backup.ts': 'is a command, which serves nobody meanwhile',
  'lib/cli/backup/open-backup.ts': 'is a command, which serves nobody meanwhile',
  'lib/cli/build/compress-assets.mjs': 'runs during the build only',
  'lib/entry/docs/serve-docs.ts': 'compresses each file of the documentation once',
  'lib/identity/merchants/decode-picture.mjs': 'is a process of its own, which lib/identity/merchants/encode-logo.ts starts in its queue',
  'lib/platform/spreadsheets/write-workbook.ts': 'compresses small pieces, as fast as the receiver reads them',
};

/** Whether a file uses a queue, or each file that imports it does. */
function isQueued({ path, text }: SourceFile): boolean {
  if (/queue\S*\.run\(/i.test(text)) return true;
  const users = files.filter(({ isProduct, imports }) => isProduct && imports.includes(path));
  return users.length > 0 && users.every(isQueued);
}

test('native work takes place in queues, so that a few requests cannot occupy the threads that all others wait for', () => {
  const native = files.filter(({ isProduct, text }) => isProduct && NATIVE.test(text));
  expect(native.length).toBeGreaterThan(4);
  expect(native.filter((file) => !isQueued(file)).map(({ path }) => path)).toEqual(Object.keys(NEEDS_NO_QUEUE));
});
