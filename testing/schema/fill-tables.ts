import type pg from 'pg';

/** A text that a copy must quote: quotes, a backslash, a tab, a line break, and characters of several bytes. */
const TEXT = `E'it''s "\\\\N"\\t\\né🙂'`;
const ID = `'00000000-0000-7000-8000-000000000001'`;

/** SQL for a value of each type. Enums get their first value in the order of the alphabet, and arrays are empty. */
const VALUES: Readonly<Record<string, string>> = {
  text: TEXT,
  'character varying': TEXT,
  uuid: ID,
  boolean: 'true',
  bytea: `'\\x00ff5c'`,
  integer: '3',
  smallint: '3',
  bigint: '3',
  numeric: '3.10',
  'double precision': '0.1',
  jsonb: `'{"a": [1, null, "\\\\ \\""]}'`,
  'timestamp with time zone': `'2026-11-20 10:00:00.123456+03'`,
  date: `'2026-11-20'`,
};

/** What the constraints of a table want instead. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  backup_status: { kind: `'backup'` },
  webhook_redelivery: { period_to: `'2026-11-21'`, due_at: 'NULL' },
  mail: { due_at: 'NULL', encrypted_text: 'NULL' },
  webhook_proposal: { refusal_reason: 'NULL' },
  refund: { failure_reason: 'NULL', source: 'NULL', our_reference: `'AAAAAAAAAAAAAAAAAAA1'` },
  instrument: {
    amount: '300',
    our_reference: `'AAAAAAAAAAAAAAAAAAA2'`,
    end_reason: 'NULL',
    ended_at: 'NULL',
    failure_reason: 'NULL',
  },
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly label: string | null;
}

interface ForeignKey {
  readonly parent: string;
  readonly own: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Inserts a row into every empty table, with valid foreign keys. No trigger runs, so the rows need not make sense together.
 * @param client a superuser. Throws if a row cannot be inserted: then EXCEPTIONS needs another value.
 */
export async function fillTables(client: pg.Client): Promise<void> {
  await client.query('BEGIN; SET LOCAL session_replication_role = replica');
  let problem: unknown;
  for (let empty = await emptyTables(client); empty.length > 0; ) {
    for (const table of empty) {
      await client.query('SAVEPOINT one');
      // A table whose parent is empty is filled in a later round.
      problem = await insertRow(client, table).catch((error: unknown) => error);
      if (problem !== undefined) await client.query('ROLLBACK TO one');
    }
    const left = await emptyTables(client);
    if (left.length === empty.length) throw new Error(`${left.join(', ')} cannot be filled`, { cause: problem });
    empty = left;
  }
  await client.query('COMMIT');
}

/** Returns the tables without rows. */
export async function emptyTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND query_to_xml(format('SELECT 1 FROM %I LIMIT 1', relname), false, false, '')::text NOT LIKE '%<row>%' ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

async function insertRow(client: pg.Client, table: string): Promise<void> {
  const columns = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type, (SELECT min(enumlabel::text) FROM pg_enum WHERE enumtypid = atttypid) AS label
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const keys = await client.query<ForeignKey>(
    `SELECT confrelid::regclass::text AS parent, array_agg(own.attname::text) AS own, array_agg(theirs.attname::text) AS theirs
     FROM pg_constraint CROSS JOIN unnest(conkey, confkey) AS pair (a, b)
     JOIN pg_attribute own ON own.attrelid = conrelid AND own.attnum = a JOIN pg_attribute theirs ON theirs.attrelid = confrelid AND theirs.attnum = b
     WHERE conrelid = $1::regclass AND confrelid <> conrelid AND contype = 'f' GROUP BY pg_constraint.oid, confrelid`,
    [table],
  );
  const values = Object.fromEntries(columns.rows.map(({ name, type, label }) => [name, VALUES[type] ?? `'${label ?? '{}'}'`]));
  for (const { parent, own, theirs } of keys.rows) {
    own.forEach((column, index) => {
      values[column] = `(SELECT ${theirs[index]} FROM ${parent} ORDER BY ${theirs.join()} LIMIT 1)`;
    });
  }
  // The same everywhere, because a bill and what belongs to it have one merchant and environment. Some tables have no foreign key for it.
  if ('environment' in values) values.environment = `'sandbox'`;
  if ('merchant_id' in values) values.merchant_id = '(SELECT id FROM merchant ORDER BY id LIMIT 1)';
  Object.assign(values, EXCEPTIONS[table]);
  await client.query(`INSERT INTO ${table} ("${Object.keys(values).join('", "')}") VALUES (${Object.values(values).join(', ')})`);
}
