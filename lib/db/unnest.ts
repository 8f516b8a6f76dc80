/**
 * Creates SQL that turns array parameters of a prepared statement into rows. A subquery hides the length of each array from PostgreSQL's
 * planner. Otherwise the general plan, made for ten rows, looks more expensive than a plan for a short array, and the statement is planned
 * again at each execution, which takes longer than running it.
 * @param arrays parameters with their types, such as `$ids::uuid[]`.
 */
export function unnest(...arrays: readonly string[]): string {
  return `unnest(${arrays.map((array) => `(SELECT ${array})`).join(', ')})`;
}
