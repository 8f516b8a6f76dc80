import type { SourceFile } from './source-files';

/** How the product talks to PostgreSQL. */
export interface StatementCounts {
  /** Calls of Prisma's client. */
  readonly prisma: number;
  /** SQL whose columns and parameters are declared, and compared with the database by a test. */
  readonly declared: number;
  /** SQL whose row type is only claimed. */
  readonly unchecked: number;
  /** SQL that returns nothing, or whose rows nobody reads. */
  readonly plain: number;
}

const PRISMA = /\bprisma\.\w+\s*\.(find|create|update|upsert|delete|count|aggregate|groupBy)/g;
const DECLARED = /\bstatement\(/g;
const UNCHECKED = /\.query<(?!unknown)/g;
const PLAIN = /\.query\(/g;

/** Where rows get the types that a statement declares. */
const MECHANISM = ['lib/db/database.ts', 'lib/db/statement.ts'];

/** @returns how many statements of each kind the files contain. */
export function countStatements(files: readonly SourceFile[]): StatementCounts {
  const counted = files.filter(({ path }) => !MECHANISM.includes(path));
  const count = (pattern: RegExp) => counted.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
  return { prisma: count(PRISMA), declared: count(DECLARED), unchecked: count(UNCHECKED), plain: count(PLAIN) };
}
