/**
 * Creates SQL that turns array parameters of a prepared statement into rows. A subquery hides the length of each array from PostgreSQL's
 * planner. Otherwise the general plan, made for ten rows, looks more expensive than a plan for a short array, and the statement is planned
 * again at each execution, which takes longer than running it.
 * @param arrays parameters with their types, such as `$ids::uuid[]`.
 */
export function unnest(...arrays: readonly string[]): string {
  return `unnest(${arrays.map((array) => `(SELECT ${array})`).join(', ')})`;
}

/**
 * Like {@link unnest}, for few rows that are joined with tables. A LIMIT that the planner does not know makes it expect a single row, so
 * that it looks up the other tables by their indexes. Otherwise it would plan to read a table that is still small as a whole, and keep
 * that plan while the table grows.
 */
export function unnestFew(...arrays: readonly string[]): string {
  return `(SELECT * FROM ${unnest(...arrays)} LIMIT (SELECT 1000000))`;
}
