import { readSourceFiles, type SourceFile } from './source-files';

/** What a test needs. `product`: it starts or reads the build. `database`: it needs PostgreSQL. `plain`: neither. */
type TestKind = 'plain' | 'database' | 'product';

const TEST = /\.test\.tsx?$/;
/** Modules that need the build. Tests that import one of them, directly or indirectly, need it too. */
const USES_BUILD = ['testing/process.ts', 'testing/surface/actions.ts'];
const STARTS_BUILD = /'bootstrap\.mjs'/;
/** Matches the use of a value that the global set-up provides: the URL of PostgreSQL. */
const USES_DATABASE = /\binject\('/;

/** Returns the kind of each Vitest test by path, derived from its imports. */
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

/** Returns the plain tests, and the database tests that have changed or directly import a changed file. */
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
