import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
// A relative import, because the configuration of the unit tests loads this file without "@/".
import { PROJECT_ROOT } from '../../lib/platform/config/project-root';

const TOPS = ['app', 'components', 'e2e', 'lib', 'testing'];
const SOURCE = /\.(tsx?|mjs)$/;
const TEST = /\.(test|spec)\.tsx?$|^testing\/|^e2e\//;
const GENERATED = /^(lib\/platform\/db|components\/pay)\/generated\//;

/** Biome formats every import in this way. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g;

/** A source file of the repository. */
export interface SourceFile {
  /** Relative to the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The files of the repository that this file imports. */
  readonly imports: readonly string[];
  /** Whether the file belongs to the product and not to its tests. */
  readonly isProduct: boolean;
}

/** Returns all TypeScript and JavaScript files, except those that Prisma generates. */
export function readSourceFiles(): SourceFile[] {
  const paths = TOPS.flatMap((top) =>
    readdirSync(join(PROJECT_ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name.replaceAll('\\', '/')}`),
  ).filter((path) => SOURCE.test(path) && !GENERATED.test(path));
  return paths.sort().map((path) => {
    const text = readFileSync(join(PROJECT_ROOT, path), 'utf8');
    const imports = [...text.matchAll(IMPORT)].flatMap(([, specifier = '']) => resolve(path, specifier) ?? []);
    return { path, text, imports: [...new Set(imports)], isProduct: !TEST.test(path) };
  });
}

/** Returns the file of an import, or null for a package. */
export function resolve(from: string, specifier: string): string | null {
  const base = specifier.startsWith('@/') ? specifier.slice(2) : specifier.startsWith('.') ? join(dirname(from), specifier) : null;
  if (base === null) return null;
  const path = normalize(base).replaceAll('\\', '/');
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].filter((candidate) => SOURCE.test(candidate));
  return candidates.find((candidate) => existsSync(join(PROJECT_ROOT, candidate))) ?? null;
}

/** Returns the folder of a file. The pages of `app` count as one folder. */
export function folderOf(path: string): string {
  return path.startsWith('app/') ? 'app' : dirname(path);
}
