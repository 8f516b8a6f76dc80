import { z } from 'zod';
import { isDatabaseUnavailable } from './errors';
import type { Session } from './session';
import type { SessionPool } from './session-pool';

/** Times in milliseconds. */
export interface WatchLimits {
  /** How often the sessions are looked at. */
  readonly everyMs: number;
  /** A statement without an answer for so long makes the watch ask the server about the session. */
  readonly silenceMs: number;
  /** A statement without an answer for so long has failed: longer than PostgreSQL's own statement_timeout. */
  readonly answerMs: number;
}

export const WATCH_LIMITS: WatchLimits = { everyMs: 1_000, silenceMs: 5_000, answerMs: 35_000 };

interface WatchOptions {
  readonly pool: SessionPool;
  /** Opens new connections only: what it asks, it asks the server that is at the address now. */
  readonly probe: SessionPool;
  readonly limits: WatchLimits;
  readonly onError: (error: unknown) => void;
}

/**
 * Drops sessions whose server is gone without having closed them: a machine that lost power, a firewall that forgot the
 * connection. TCP notices that after minutes or hours. PostgreSQL itself knows its sessions, so a slow one is left alone.
 * @returns a function that ends the watch.
 */
export function watchSessions({ pool, probe, limits, onError }: WatchOptions): () => void {
  let last = performance.now();
  let asking = false;
  /** What each suspect was waiting for: an answer that is on its way has come by the next look. */
  let suspects = new Map<Session, number | null>();

  function look(): void {
    const now = performance.now();
    // After a pause of this process itself, answers lie unread in the sockets.
    const paused = now - last > limits.everyMs * 3;
    last = now;
    if (paused) return;
    const waited = (session: Session) => (session.waitingSince === null ? 0 : now - session.waitingSince);
    const all = [...pool.sessions];
    const late = all.filter((session) => !session.patient && waited(session) > limits.answerMs);
    const gone = all.filter(
      (session) => suspects.has(session) && suspects.get(session) === session.waitingSince && !late.includes(session),
    );
    suspects = new Map();
    for (const session of late) session.drop('the server did not answer a statement in time');
    for (const session of gone) session.drop('the server no longer serves this connection');
    if (!asking && all.some((session) => !session.pooled && waited(session) > limits.silenceMs)) void ask();
  }

  async function ask(): Promise<void> {
    asking = true;
    try {
      const asked = [...pool.sessions].filter((session) => !session.pooled);
      const served = await readServed(probe, asked);
      const now = performance.now();
      suspects = new Map(
        asked.filter((session) => isSuspect(session, served, now - limits.silenceMs)).map((one) => [one, one.waitingSince]),
      );
    } catch (error) {
      // Requests report a server that cannot be reached.
      if (!isDatabaseUnavailable(error)) onError(error);
    } finally {
      asking = false;
    }
  }

  const timer = setInterval(look, limits.everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface Served {
  /** The server that answered. */
  readonly server: string;
  /** What it says of its sessions, by process id. */
  readonly states: ReadonlyMap<number, string | null>;
}

const servedSchema = z.array(z.object({ server: z.string(), pid: z.number().nullable(), state: z.string().nullable() }));

async function readServed(probe: SessionPool, sessions: readonly Session[]): Promise<Served> {
  const found = await probe.query({
    text: `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server, a.pid, a.state FROM (SELECT 1) one
           LEFT JOIN pg_stat_activity a ON a.pid = ANY ($1::int[])`,
    values: [sessions.map(({ pid }) => pid)],
  });
  const rows = servedSchema.parse(found.rows);
  return { server: rows[0]?.server ?? '', states: new Map(rows.flatMap(({ pid, state }) => (pid === null ? [] : [[pid, state]]))) };
}

/** Another server, a session that it does not have, or one that it believes to have answered long ago. */
function isSuspect(session: Session, { server, states }: Served, silentBefore: number): boolean {
  if (session.server !== server || !states.has(session.pid)) return true;
  const silent = session.waitingSince !== null && session.waitingSince < silentBefore;
  return silent && (states.get(session.pid)?.startsWith('idle') ?? false);
}
