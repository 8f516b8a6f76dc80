import { SESSION_SETTINGS, type Session, type SessionNeed } from './session';
import { SessionPool } from './session-pool';

const CONNECT_MS = 5_000;

/** Opens one database session at the first host that meets the need, and runs `work` with it. `work` also gets the URL of that host. */
export async function withSession<Value>(
  url: string,
  need: SessionNeed,
  work: (session: Session, hostUrl: string) => Promise<Value>,
): Promise<Value> {
  const pool = new SessionPool({ url, size: 1, applicationName: 'bili', need, connectMs: CONNECT_MS });
  pool.on('error', () => undefined);
  try {
    const session = await pool.connect();
    try {
      return await work(session, pool.currentUrl);
    } finally {
      session.release(true);
    }
  } finally {
    await pool.end();
  }
}

/**
 * Stores the session settings as defaults of our role in this database. Every new server connection then has them, so a pooler may use
 * another server connection for each transaction. Closes the idle server connections, which still have the old defaults.
 */
export async function storeSessionSettings(url: string): Promise<void> {
  await withSession(url, 'writes', async (session) => {
    if ((await session.findLostSettings()).length === 0) return;
    const statements = Object.entries(SESSION_SETTINGS).map(
      ([name, value]) => `EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = ''${value}''', current_user, current_database());`,
    );
    await session.query(`DO $$ BEGIN ${statements.join(' ')} END $$`);
    try {
      // The last connection that this statement terminates is its own. So the statement always fails.
      await session.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = current_user AND datname = current_database() AND (state = 'idle' OR pid = pg_backend_pid())
         ORDER BY pid = pg_backend_pid()`,
      );
    } catch (error) {
      if (!session.lost) throw error;
    }
  });
}
