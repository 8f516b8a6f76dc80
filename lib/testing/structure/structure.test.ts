import { expect, test } from 'vitest';
import { unusedExports } from './exports';
import { mutualImports, unlistedFolders, upwardImports } from './imports';
import { readSourceFiles, type SourceFile } from './source-files';
import { countStatements } from './statements';

const files = readSourceFiles();

test('the list of folders is complete', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(unlistedFolders(files)).toEqual([]);
});

test('a folder imports only folders that the list names before it', () => {
  expect(upwardImports(files)).toEqual([]);
  expect(mutualImports(files)).toEqual([]);
});

test('every export is imported somewhere', () => {
  expect(unusedExports(files)).toEqual([]);
});

test('no SQL has an unchecked row type', () => {
  expect(countStatements(files.filter(({ isProduct }) => isProduct))).toMatchObject({ unchecked: 0 });
});

/** Packages and modules whose work takes place on libuv's four threads, or in threads of its own. `crc32` is excepted: it is short. */
const NATIVE =
  /from '(?:sharp|@resvg\/resvg-js|@node-rs\/argon2|yazl)'|import\('(?:sharp|@resvg\/resvg-js)'\)|import \{ (?!crc32 \})[^}]+ \} from 'node:zlib'/;
/** Native work that needs no queue. The value says why. */
const NEEDS_NO_QUEUE: Readonly<Record<string, string>> = {
  'lib/docs/docs-files.ts': 'compresses each file of the documentation once',
  'lib/merchants/decode-picture.mjs': 'is a process of its own, which lib/merchants/encode-logo.ts starts in its queue',
  'lib/spreadsheets/write-workbook.ts': 'compresses small pieces, as fast as the receiver reads them',
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
