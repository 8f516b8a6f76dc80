import type { Queryable } from './database';
import { DatabaseUnavailable } from './errors';
import { boolean } from './sql-types';
import { statement } from './statement';

const READ_STATE = statement({
  name: 'read whether the server is read-only',
  text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  parameters: {},
  columns: { readOnly: boolean },
});

/** Throws DatabaseUnavailable if the database server cannot be reached, or has become read-only since the connection was opened. */
export async function checkWritable(db: Queryable): Promise<void> {
  const state = await READ_STATE.first(db, {});
  if (state?.readOnly) throw new DatabaseUnavailable(new Error('the server is read-only or in recovery'));
}
