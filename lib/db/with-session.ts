import { SESSION_SETTINGS, type Session, type SessionNeed } from './session';
import { SessionPool } from './session-pool';

const CONNECT_MS = 5_000;

/** Runs work on one session of the first host that meets the need. @param work also gets that host's own address. */
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
 * Makes sure that every server connection of a pooler has the settings of a session, for it may give each transaction another
 * one. Stores them as defaults of our role in this database, and closes the idle server connections, which have other defaults.
 */
export async function keepSettingsBehindPooler(url: string): Promise<void> {
  await withSession(url, 'writes', async (session) => {
    if ((await session.findLostSettings()).length === 0) return;
    const statements = Object.entries(SESSION_SETTINGS).map(
      ([name, value]) => `EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = ''${value}''', current_user, current_database());`,
    );
    await session.query(`DO $$ BEGIN ${statements.join(' ')} END $$`);
    try {
      // This session's own server connection goes last, and the statement fails with it.
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
