import type pg from 'pg';
import type { SqlType } from '@/lib/db/sql-types';
import type { Described } from '@/lib/db/statement';
import { describeStatement } from './describe-statement';

/** What the comparison with statements needs to know about the database. */
export interface Catalogue {
  /** Names of types by id, in the spelling of `format_type`. */
  readonly types: ReadonlyMap<number, string>;
  /** The values of each enum, by its name. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** Columns that are NOT NULL: the id of the table, a dot, and the number of the column. */
  readonly notNull: ReadonlySet<string>;
}

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const types = await client.query<{ id: number; name: string }>('SELECT oid::int AS id, format_type(oid, NULL) AS name FROM pg_type');
  const labels = await client.query<{ name: string; labels: string[] }>(
    'SELECT format_type(enumtypid, NULL) AS name, array_agg(enumlabel::text ORDER BY enumsortorder) AS labels FROM pg_enum GROUP BY enumtypid',
  );
  const notNull = await client.query<{ key: string }>("SELECT attrelid::int || '.' || attnum AS key FROM pg_attribute WHERE attnotnull");
  return {
    types: new Map(types.rows.map(({ id, name }) => [id, name])),
    labels: new Map(labels.rows.map(({ name, labels }) => [name, labels])),
    notNull: new Set(notNull.rows.map(({ key }) => key)),
  };
}

/** The order of enum values is not compared, because only the schema decides the order. */
const sorted = (values: readonly string[] | undefined) => values?.toSorted().join();

const OUTER_JOIN = /\b(LEFT|RIGHT|FULL)\b/i;

/** Returns a sentence for each difference between a statement's declaration and the database. */
export async function checkStatement(client: pg.Client, catalogue: Catalogue, declared: Described): Promise<string[]> {
  const { types, labels, notNull } = catalogue;
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
    if (found.join() !== expected.join()) wrong.push(`it returns (${found}), declared are (${expected})`);
    for (const { name, type, table, column } of columns) {
      const declaredType = declared.columns[name];
      if (!declaredType) continue;
      compare(`column ${name}`, declaredType, type);
      if (table === 0) continue;
      const mayBeNull = !notNull.has(`${table}.${column}`) || OUTER_JOIN.test(declared.text);
      if (mayBeNull && declaredType.nullable === false) wrong.push(`column ${name} may be null, and is not declared so`);
      if (!mayBeNull && declaredType.nullable !== false) wrong.push(`column ${name} is never null, and is declared as if it could be`);
    }
    return wrong.map((sentence) => `${declared.name}: ${sentence}`);
  } catch (error) {
    return [`${declared.name}: ${error instanceof Error ? error.message : error}`];
  }
}
