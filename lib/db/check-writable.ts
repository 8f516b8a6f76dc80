import type { Queryable } from './database';
import { DatabaseUnavailable } from './errors';

/** Throws DatabaseUnavailable for a server that cannot be reached, or has become read-only since the session was opened. */
export async function checkWritable(db: Queryable): Promise<void> {
  const [state] = await db.query<{ readOnly: boolean }>({
    text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  });
  if (state?.readOnly) throw new DatabaseUnavailable(new Error('the server is read-only or in recovery'));
}
