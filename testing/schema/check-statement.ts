import type pg from 'pg';
import type { SqlType } from '@/lib/platform/db/sql-types';
import type { Described } from '@/lib/platform/db/statement';
import { describeStatement } from './describe-statement';

/** What the comparison with statements needs to know about the database. */
export interface Catalogue {
  /** Names of types by id, in the spelling of `format_type`. */
  readonly types: ReadonlyMap<number, string>;
  /** The values of each enum, by its name. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** The columns of all tables by key: the id of the table, a dot, and the number of the column. */
  readonly columns: ReadonlyMap<string, { readonly table: string; readonly name: string; readonly notNull: boolean }>;
}

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const types = await client.query<{ id: number; name: string }>('SELECT oid::int AS id, format_type(oid, NULL) AS name FROM pg_type');
  const labels = await client.query<{ name: string; labels: string[] }>(
    'SELECT format_type(enumtypid, NULL) AS name, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid',
  );
  const columns = await client.query<{ key: string; table: string; name: string; notNull: boolean }>(
    `SELECT attrelid::int || '.' || attnum AS key, relname AS "table", attname AS name, attnotnull AS "notNull"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid`,
  );
  return {
    types: new Map(types.rows.map(({ id, name }) => [id, name])),
    labels: new Map(labels.rows.map(({ name, labels }) => [name, labels])),
    columns: new Map(columns.rows.map((row) => [row.key, row])),
  };
}

/** The order of columns and of the values of an enum is not compared. */
const sorted = (values: readonly string[] | undefined) => values?.toSorted().join();

/**
 * Returns the tables whose columns are null if an outer join finds no row: those that the right sides of LEFT JOINs read, each with whether
 * only they read it. If other parts of the statement read it too, a column may be of those parts, so its declaration is trusted.
 */
function outerTables(sql: string): ReadonlyMap<string, boolean> {
  if (/\b(RIGHT|FULL)\s+(OUTER\s+)?JOIN\b/i.test(sql)) throw new Error('the test supports no RIGHT and FULL joins');
  let rest = sql;
  const names = new Set<string>();
  const take = (side: string) => {
    rest = rest.replace(side, '');
    for (const [name] of side.matchAll(/\b[a-z_]+\b/g)) {
      if (names.has(name)) continue;
      names.add(name);
      const expression = new RegExp(`\\b${name}(\\([^()]*\\))? AS (MATERIALIZED )?\\(`).exec(sql);
      if (expression) take(inParentheses(sql, expression.index + expression[0].length - 1));
    }
  };
  for (const { index, 0: join } of sql.matchAll(/\bLEFT JOIN (LATERAL )?/g)) {
    const side = index + join.length;
    take(`${join}${sql[side] === '(' ? inParentheses(sql, side) : /^\w+/.exec(sql.slice(side))}`);
  }
  return new Map([...names].map((name) => [name, !new RegExp(`\\b(FROM|JOIN|UPDATE|INTO) ${name}\\b`).test(rest)]));
}

/** Returns the parentheses that open at an index, with the text in them. */
function inParentheses(sql: string, start: number): string {
  let depth = 0;
  for (let index = start; index < sql.length; index += 1) {
    if (sql[index] === '(') depth += 1;
    if (sql[index] === ')') depth -= 1;
    if (depth === 0) return sql.slice(start, index + 1);
  }
  throw new Error('a parenthesis is not closed');
}

/** Returns a sentence for each difference between a statement's declaration and the database. */
export async function checkStatement(client: pg.Client, catalogue: Catalogue, declared: Described): Promise<string[]> {
  const { types, labels } = catalogue;
  try {
    const { parameters, columns } = await describeStatement(client, declared.text);
    const wrong: string[] = [];
    const compare = (what: string, { name, labels: expected }: SqlType<unknown>, id: number) => {
      if (types.get(id) !== name) wrong.push(`${what} is ${types.get(id)}, declared as ${name}`);
      const actual = labels.get(name.replace(/\[\]$/, ''));
      if ((expected || actual) && sorted(expected) !== sorted(actual))
        wrong.push(`${what} has the values ${actual}, declared as ${expected}`);
    };
    const declaredParameters = Object.entries(declared.parameters);
    if (declaredParameters.length !== parameters.length)
      wrong.push(`it has ${parameters.length} parameters, declared are ${declaredParameters.length}`);
    for (const [index, [name, type]] of declaredParameters.entries()) compare(`parameter ${name}`, type, parameters[index] ?? 0);
    const found = columns.map(({ name }) => name);
    const expected = Object.keys(declared.columns);
    if (sorted(found) !== sorted(expected)) wrong.push(`it returns (${found}), declared are (${expected})`);
    const outer = outerTables(declared.text);
    for (const { name, type, table, column } of columns) {
      const declaredType = declared.columns[name];
      if (!declaredType) continue;
      compare(`column ${name}`, declaredType, type);
      const found = catalogue.columns.get(`${table}.${column}`);
      if (!found) continue;
      if ((declaredType.column ?? found.name) !== found.name)
        wrong.push(`column ${name} is ${found.name}, declared as ${declaredType.column}`);
      const onlyOuter = outer.get(found.table);
      if ((!found.notNull || onlyOuter) && declaredType.nullable === false)
        wrong.push(`column ${name} may be null, and is not declared so`);
      if (found.notNull && onlyOuter === undefined && declaredType.nullable === true)
        wrong.push(`column ${name} is never null, and is declared as if it could be`);
    }
    return wrong.map((sentence) => `${declared.name}: ${sentence}`);
  } catch (error) {
    return [`${declared.name}: ${error instanceof Error ? error.message : error}`];
  }
}
