import { expect, test } from 'vitest';
import { unusedExports } from './exports';
import { mutualImports, unlistedFolders, upwardImports } from './imports';
import { readSourceFiles } from './source-files';
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
