import { readSourceFiles, type SourceFile } from './source-files';

/**
 * What a test needs beside the code. `product`: it starts or reads the build. `database`: it needs PostgreSQL. `plain`: neither.
 */
type TestKind = 'plain' | 'database' | 'product';

const TEST = /\.test\.tsx?$/;
/** Whatever imports these uses the build. A test that starts the build in another way names the program that does. */
const USES_BUILD = ['lib/testing/process.ts', 'lib/testing/surface/actions.ts'];
const STARTS_BUILD = /'bootstrap\.mjs'/;
/** What the global set-up provides. */
const USES_DATABASE = /\binject\('/;

/** @returns the kind of each test of Vitest, by its path: it follows from what the test imports. */
export function testKinds(files: readonly SourceFile[] = readSourceFiles()): Map<string, TestKind> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return new Map(files.filter(({ path }) => TEST.test(path)).map((file) => [file.path, kindOf(file, byPath)]));
}

function kindOf(test: SourceFile, byPath: ReadonlyMap<string, SourceFile>): TestKind {
  const reached = new Set([test]);
  for (const { imports } of reached) {
    for (const path of imports) {
      const file = byPath.get(path);
      if (file) reached.add(file);
    }
  }
  const all = [...reached];
  if (STARTS_BUILD.test(test.text) || all.some(({ path }) => USES_BUILD.includes(path))) return 'product';
  return all.some(({ text }) => USES_DATABASE.test(text)) ? 'database' : 'plain';
}

/** @returns the plain tests, and the tests with a database that changed or that directly import a file that changed. */
export function quickTests(changed: readonly string[]): string[] {
  const files = readSourceFiles();
  const kinds = testKinds(files);
  return files
    .filter(({ path, imports }) => {
      const kind = kinds.get(path);
      return kind === 'plain' || (kind === 'database' && [path, ...imports].some((one) => changed.includes(one)));
    })
    .map(({ path }) => path);
}
