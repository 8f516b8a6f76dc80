import type { SourceFile } from './source-files';

/** The kinds of database access in the product. */
export interface StatementCounts {
  /** Calls of the Prisma client. */
  readonly prisma: number;
  /** SQL with declared columns and parameters, which a test compares with the database. */
  readonly declared: number;
  /** SQL whose row type is not checked. */
  readonly unchecked: number;
  /** SQL that returns no rows, or whose rows are not used. */
  readonly plain: number;
}

const PRISMA = /\bprisma\.\w+\s*\.(find|create|update|upsert|delete|count|aggregate|groupBy)/g;
const DECLARED = /\bstatement\(/g;
const UNCHECKED = /\.query<(?!unknown)/g;
const PLAIN = /\.query\(/g;

/** The files that implement the calls to be counted. The calls in these files are not counted. */
const MECHANISM = ['lib/platform/db/database.ts', 'lib/platform/db/statement.ts'];

/** Counts the statements of each kind. */
export function countStatements(files: readonly SourceFile[]): StatementCounts {
  const counted = files.filter(({ path }) => !MECHANISM.includes(path));
  const count = (pattern: RegExp) => counted.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
  return { prisma: count(PRISMA), declared: count(DECLARED), unchecked: count(UNCHECKED), plain: count(PLAIN) };
}
