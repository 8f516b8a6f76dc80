import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readVersion } from '@/lib/platform/config/version';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { COMMIT_LIMIT_MS, commitProbe, explainStuckCommits, within } from '@/lib/platform/db/check-writable';
import { DatabaseUnavailable, isDatabaseUnavailable, postgresError, sentenceOf } from '@/lib/platform/db/errors';
import { refreshHold } from '@/lib/platform/hold/hold';
import { systemNameServers } from '@/lib/platform/outbound/resolve-name';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { beat, type Role, type SeenRefusals } from './store';

const EACH_MS = 5 * SECOND_MS;
/** The pause after a heartbeat that failed, milliseconds. So a process is ready again soon after the database is. */
const AFTER_FAILURE_MS = SECOND_MS;

/** A commit that takes longer counts as failed even if the reason is unknown, milliseconds. */
const SLOW_MS = 5 * SECOND_MS;

interface RunningHeartbeat {
  stop(): Promise<void>;
}

const NONE = { count: 0, last: null };
const NO_REFUSALS: SeenRefusals = { foreignForms: NONE, unknownCallbacks: NONE };

type Needs = Pick<Runtime, 'db' | 'machineClock' | 'clock' | 'random' | 'log' | 'health' | 'settings' | 'secrets'>;

/**
 * Updates this process's heartbeat row every five seconds, and thereby checks that the database commits writes: the heartbeat uses the pool
 * and the durability of every other write. The reason why it was not committed in time is in the process's health. Also reads whether the
 * copy of the database is on hold. Resolves after the first update, even if that failed.
 * @param refusals what this process has refused until now. It is read at each update.
 */
export async function startHeartbeat(runtime: Needs, role: Role, refusals = NO_REFUSALS): Promise<RunningHeartbeat> {
  const { db, clock, machineClock, random, log, health, settings } = runtime;
  const { keyIds } = runtime.secrets;
  const about = {
    id: newId({ clock, random }),
    role,
    version: readVersion(),
    host: hostname(),
    pid: process.pid,
    startedAt: clock(),
    keyIds,
  };
  const stopping = new AbortController();
  /** The heartbeat that is not committed yet. There is only one, because a commit that waits for a standby occupies a session. */
  let pending: Promise<unknown> | undefined;
  /** Whether the pending heartbeat has got a session, in which the server answers. */
  let begun = false;

  async function write(): Promise<void> {
    begun = false;
    await commitProbe(db, async (tx) => {
      begun = true;
      const { foreignForms, unknownCallbacks } = refusals;
      await refreshHold({ db: tx, log });
      await beat(tx, { ...about, foreignForms, unknownCallbacks, problem: systemNameServers.problem() }, machineClock.read());
    });
  }

  async function once(): Promise<void> {
    pending ??= write()
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => {
        pending = undefined;
      });
    const result = await within(COMMIT_LIMIT_MS, pending);
    if (result === null) return void health.delete('commits');
    const problem = await findProblem(result);
    if (problem === null) health.delete('commits');
    else health.set('commits', problem);
    const sentence = problem ?? (result === 'late' ? 'no session of the pool was free in time' : sentenceOf(result));
    const error = isDatabaseUnavailable(result) || result === 'late' ? new DatabaseUnavailable(new Error(sentence)) : result;
    if (problem !== null || result !== 'late') log.warn({ err: error }, 'could not update the heartbeat of this process');
  }

  /** Returns why commits do not end; null if they do, or if that is unknown, because no session was free or the server does not answer. */
  async function findProblem(result: unknown): Promise<string | null> {
    // PostgreSQL's own message, for example about a full disk, says the reason.
    if (postgresError(result)) return sentenceOf(result);
    const stuck = await explainStuckCommits(settings.DATABASE_URL);
    if (stuck !== null || !begun || pending === undefined) return stuck;
    const later = await within(SLOW_MS - COMMIT_LIMIT_MS, pending);
    return later === 'late' ? `a commit took more than ${SLOW_MS / SECOND_MS} seconds` : null;
  }

  const pause = () => delay(health.has('commits') ? AFTER_FAILURE_MS : EACH_MS, true, { signal: stopping.signal }).catch(() => false);
  async function run(): Promise<void> {
    while (await pause()) await once();
  }

  await once();
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      if (health.has('commits')) return;
      await db.prisma.heartbeat
        .deleteMany({ where: { id: about.id } })
        .catch((error: unknown) => log.warn({ err: error }, 'could not delete the heartbeat of this process'));
    },
  };
}
