import type { Types } from './sql-types';

/**
 * Creates SQL that turns array parameters of a prepared statement into rows. A subquery hides the length of each array from PostgreSQL's
 * planner. If the planner knew that an array is short, a plan for this array would look cheaper than the general plan, which expects ten
 * rows. PostgreSQL would then plan the statement again at each execution, which takes longer than running it.
 * @param arrays the types of the parameters, by their names. Each array becomes a column: `dueAt` the column `due_at`.
 * @param alias the alias of the rows.
 */
export function unnest(arrays: Types, alias: string): string {
  return `${unnested(arrays)} AS ${aliased(arrays, alias)}`;
}

/**
 * Like {@link unnest}, for few rows that are joined with tables. The LIMIT is a subquery, so the planner does not know its value and
 * expects a single row. It therefore plans to look up the rows of the joined tables by their indexes. Without the LIMIT, the planner would
 * read a small table as a whole, and PostgreSQL would keep that plan while the table grows.
 */
export function unnestFew(arrays: Types, name: string): string {
  return `(SELECT * FROM ${unnested(arrays)} LIMIT (SELECT 1000000)) AS ${aliased(arrays, name)}`;
}

/** Returns SQL that inserts rows into a table. @param arrays the types of the parameters, by the names of the columns in the schema. */
export function insertRows(table: string, arrays: Types): string {
  return `INSERT INTO ${table} (${columns(arrays)}) SELECT * FROM ${unnested(arrays)}`;
}

/** Returns SQL that inserts one row into a table. @param values the types of the parameters, by the names of the columns in the schema. */
export function insertRow(table: string, values: Types): string {
  return `INSERT INTO ${table} (${columns(values)}) VALUES (${Object.keys(values)
    .map((name) => `$${name}`)
    .join(', ')})`;
}

const unnested = (arrays: Types) =>
  `unnest(${Object.entries(arrays)
    .map(([name, { name: type }]) => `(SELECT $${name}::${type})`)
    .join(', ')})`;
const inSql = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const aliased = (arrays: Types, name: string) => `${name}(${Object.keys(arrays).map(inSql).join(', ')})`;
const columns = (types: Types) =>
  Object.entries(types)
    .map(([name, { column }]) => column ?? inSql(name))
    .join(', ');
