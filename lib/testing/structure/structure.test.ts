import { expect, test } from 'vitest';
import { unusedExports } from './exports';
import { FILES_PER_FOLDER_MAX } from './folders';
import { filesPerFolder, mutualImports, unlistedFolders, upwardImports } from './imports';
import { readSourceFiles } from './source-files';
import { countStatements } from './statements';

const files = readSourceFiles();

test('the list of folders names every folder of the product', () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(unlistedFolders(files)).toEqual([]);
});

test('a folder imports only folders that the list names before it, and so no two import each other', () => {
  expect(upwardImports(files)).toEqual([]);
  expect(mutualImports(files)).toEqual([]);
});

test('no folder holds more files than one can survey', () => {
  expect(filesPerFolder(files).filter(({ count }) => count > FILES_PER_FOLDER_MAX)).toEqual([]);
});

test('nothing is exported that nobody imports', () => {
  expect(unusedExports(files)).toEqual([]);
});

test('no SQL only claims the types of its rows', () => {
  expect(countStatements(files.filter(({ isProduct }) => isProduct))).toMatchObject({ unchecked: 0 });
});
