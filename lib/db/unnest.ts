/**
 * Creates SQL that turns array parameters of a prepared statement into rows. A subquery hides the length of each array from PostgreSQL's
 * planner. If the planner knew that an array is short, a plan for this array would look cheaper than the general plan, which expects ten
 * rows. PostgreSQL would then plan the statement again at each execution, which takes longer than running it.
 * @param arrays parameters with their types, such as `$ids::uuid[]`.
 */
export function unnest(...arrays: readonly string[]): string {
  return `unnest(${arrays.map((array) => `(SELECT ${array})`).join(', ')})`;
}

/**
 * Like {@link unnest}, for few rows that are joined with tables. The LIMIT is a subquery, so the planner does not know its value and
 * expects a single row. It therefore plans to look up the rows of the joined tables by their indexes. Without the LIMIT, the planner would
 * read a small table as a whole, and PostgreSQL would keep that plan while the table grows.
 */
export function unnestFew(...arrays: readonly string[]): string {
  return `(SELECT * FROM ${unnest(...arrays)} LIMIT (SELECT 1000000))`;
}
