import { resolve, type SourceFile } from './source-files';

const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const NAMED_IMPORT = /^import (?:type )?(?:\w+, )?\{([^}]*)\} from '([^'\n]+)';/gm;
const WHOLE_IMPORT = /import \* as \w+ from '([^'\n]+)'|import\('([^'\n]+)'\)/g;

/** Modules with the types from which SQL statements are declared. They may export types that no statement uses now. */
const VOCABULARY = /\/sql-types\.ts$|^lib\/platform\/db\/statement\.ts$/;

/** Exports of these files are called by Next.js. */
const CALLED_BY_NEXT = /^app\/(.*\/)?(page|route|layout|error|not-found|loading|global-error|icon|actions|manifest)\.tsx?$/;

/** Returns the exports of the product that no other file imports, as `path#name`. */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const { path, text } of files) {
    for (const [, names = '', specifier = ''] of text.matchAll(NAMED_IMPORT)) {
      const target = resolve(path, specifier);
      for (const name of names.split(','))
        used.add(
          `${target}#${(
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0] ?? ''
          ).trim()}`,
        );
    }
    for (const [, one, other] of text.matchAll(WHOLE_IMPORT)) {
      const target = resolve(path, one ?? other ?? '');
      if (target !== null) whole.add(target);
    }
  }
  return files
    .filter(
      ({ path, isProduct }) =>
        isProduct && /\.tsx?$/.test(path) && !CALLED_BY_NEXT.test(path) && !whole.has(path) && !VOCABULARY.test(path),
    )
    .flatMap(({ path, text }) => [...text.matchAll(EXPORT)].map(([, name]) => `${path}#${name}`))
    .filter((exported) => !used.has(exported));
}
