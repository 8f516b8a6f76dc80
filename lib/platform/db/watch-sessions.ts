import { z } from 'zod';
import { isDatabaseUnavailable, isUnreachable } from './errors';
import type { Session } from './session';
import type { SessionPool } from './session-pool';

/** Times in milliseconds. */
export interface WatchLimits {
  /** How often the sessions are checked. */
  readonly everyMs: number;
  /** After this time without an answer to a statement, the watch asks the server whether it still has the session. */
  readonly silenceMs: number;
  /** After this time without an answer, a statement has failed. The time is longer than statement_timeout. */
  readonly answerMs: number;
  /**
   * If no session got an answer for this time although one waits, the watch opens a connection. If that gets no answer in this time either,
   * the server is stalled. 3 seconds by default.
   */
  readonly stallMs?: number;
}

export const WATCH_LIMITS: WatchLimits = { everyMs: 1_000, silenceMs: 5_000, answerMs: 35_000 };
export const STALL_MS = 3_000;
/** The pause after a connection that was opened to find out whether the server is stalled, and was answered, milliseconds. */
const AFTER_ANSWER_MS = 5_000;

interface WatchOptions {
  readonly pool: SessionPool;
  /** A separate pool, which opens a new connection. So the server that has the address now answers, not one that had it earlier. */
  readonly probe: SessionPool;
  /** Opens a connection and closes it. Rejects if the server does not answer within `stallMs`. */
  readonly connect: () => Promise<void>;
  readonly limits: WatchLimits;
  readonly onError: (error: unknown) => void;
}

/**
 * Drops sessions whose server disappeared without closing them, for example because a machine lost power or a firewall dropped the
 * connection. TCP notices that only after minutes or hours. The watch asks PostgreSQL for the list of its sessions, so it does not drop a
 * session whose statement is only slow.
 * @returns a function that ends the watch.
 */
export function watchSessions({ pool, probe, connect, limits, onError }: WatchOptions): () => void {
  let lastCheck = performance.now();
  let asking = false;
  let connecting = false;
  let connectedAt = Number.NEGATIVE_INFINITY;
  /** Sessions that may be lost, with their `waitingSince`. If a session has the same value at the next check, no answer came in between. */
  let suspects = new Map<Session, number | null>();

  function check(): void {
    const now = performance.now();
    // After a pause of this process, answers may have arrived that it has not read yet. So this check drops nothing.
    const paused = now - lastCheck > limits.everyMs * 3;
    lastCheck = now;
    if (paused) return;
    if (pool.stalled || isSilent(now)) void lookForStall();
    const waited = (session: Session) => (session.waitingSince === null ? 0 : now - session.waitingSince);
    const all = [...pool.sessions];
    const late = all.filter((session) => !session.unlimited && waited(session) > limits.answerMs);
    const gone = all.filter(
      (session) => suspects.has(session) && suspects.get(session) === session.waitingSince && !late.includes(session),
    );
    suspects = new Map();
    for (const session of late) session.drop('the server did not answer a statement in time');
    for (const session of gone) session.drop('the server no longer serves this connection');
    if (!asking && all.some((session) => !session.pooled && waited(session) > limits.silenceMs)) void ask();
  }

  function isSilent(now: number): boolean {
    const since = now - (limits.stallMs ?? STALL_MS);
    const waits = [...pool.sessions].some(({ waitingSince }) => waitingSince !== null && waitingSince < since);
    return waits && !pool.answeredSince(since) && now - connectedAt > AFTER_ANSWER_MS;
  }

  async function lookForStall(): Promise<void> {
    if (connecting) return;
    connecting = true;
    // A refusal is an answer.
    const answered = await connect().then(
      () => true,
      (error: unknown) => !isUnreachable(error),
    );
    connecting = false;
    if (answered) connectedAt = performance.now();
    const stalled = !answered && (pool.stalled || isSilent(performance.now()));
    if (stalled !== pool.stalled || stalled) pool.setStalled(stalled);
  }

  async function ask(): Promise<void> {
    asking = true;
    try {
      const asked = [...pool.sessions].filter((session) => !session.pooled);
      const known = await readServerSessions(probe, asked);
      const now = performance.now();
      suspects = new Map(
        asked.filter((session) => isSuspect(session, known, now - limits.silenceMs)).map((one) => [one, one.waitingSince]),
      );
    } catch (error) {
      // An unreachable server is not reported here, because requests report it.
      if (!isDatabaseUnavailable(error)) onError(error);
    } finally {
      asking = false;
    }
  }

  const timer = setInterval(check, limits.everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface ServerSessions {
  /** The start time of the server that answered. */
  readonly server: string;
  /** The states of the server's sessions, by process id. */
  readonly states: ReadonlyMap<number, string | null>;
}

const rowsSchema = z.array(z.object({ server: z.string(), pid: z.number().nullable(), state: z.string().nullable() }));

async function readServerSessions(probe: SessionPool, sessions: readonly Session[]): Promise<ServerSessions> {
  const found = await probe.query({
    text: `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server, a.pid, a.state FROM (SELECT 1) one
           LEFT JOIN pg_stat_activity a ON a.pid = ANY ($1::int[])`,
    values: [sessions.map(({ pid }) => pid)],
  });
  const rows = rowsSchema.parse(found.rows);
  return { server: rows[0]?.server ?? '', states: new Map(rows.flatMap(({ pid, state }) => (pid === null ? [] : [[pid, state]]))) };
}

/**
 * Returns whether a session is probably lost. Either another server answers now, or the server does not know the session, or the server
 * reports the session as idle although our side has waited for an answer for long.
 */
function isSuspect(session: Session, { server, states }: ServerSessions, silentBefore: number): boolean {
  if (session.server !== server || !states.has(session.pid)) return true;
  const silent = session.waitingSince !== null && session.waitingSince < silentBefore;
  return silent && (states.get(session.pid)?.startsWith('idle') ?? false);
}
