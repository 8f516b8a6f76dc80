import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readVersion } from '@/lib/config/version';
import { SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { COMMIT_LIMIT_MS, commitProbe, explainStuckCommits, within } from '@/lib/db/check-writable';
import { DatabaseUnavailable, isDatabaseUnavailable, postgresError, sentenceOf } from '@/lib/db/errors';
import { systemNameServers } from '@/lib/outbound/resolve-name';
import type { Runtime } from '@/lib/runtime/runtime';
import { beat, deleteHeartbeat, type ForeignForms, type Role } from './store';

const EACH_MS = 5 * SECOND_MS;
/** The pause after a heartbeat that failed, milliseconds. So a process is ready again soon after the database is. */
const AFTER_FAILURE_MS = SECOND_MS;

interface RunningHeartbeat {
  stop(): Promise<void>;
}

const NO_FORMS: ForeignForms = { count: 0, last: null };

type Needs = Pick<Runtime, 'db' | 'machineClock' | 'clock' | 'random' | 'log' | 'health' | 'settings'>;

/**
 * Updates this process's heartbeat row every five seconds, and thereby checks that the database commits writes: the heartbeat uses the pool
 * and the durability of every other write. The reason why it was not committed in time is in the process's health. Resolves after the first
 * update, even if that failed.
 * @param foreignForms the forms that this process has refused until now because of their origin. It is read at each update.
 */
export async function startHeartbeat(runtime: Needs, role: Role, foreignForms = NO_FORMS): Promise<RunningHeartbeat> {
  const { db, clock, machineClock, random, log, health, settings } = runtime;
  const about = { id: newId({ clock, random }), role, version: readVersion(), host: hostname(), pid: process.pid, startedAt: clock() };
  const stopping = new AbortController();
  /** The heartbeat that is not committed yet. There is only one, because a commit that waits for a standby occupies a session. */
  let pending: Promise<unknown> | undefined;

  async function once(): Promise<void> {
    pending ??= commitProbe(db, (tx) => beat(tx, { ...about, foreignForms, problem: systemNameServers.problem() }, machineClock.read()))
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => {
        pending = undefined;
      });
    const result = await within(COMMIT_LIMIT_MS, pending);
    if (result === null) return void health.delete('commits');
    const problem = await explain(result);
    health.set('commits', problem);
    const error = isDatabaseUnavailable(result) || result === 'late' ? new DatabaseUnavailable(new Error(problem)) : result;
    log.warn({ err: error }, 'could not update the heartbeat of this process');
  }

  async function explain(result: unknown): Promise<string> {
    // PostgreSQL's own message, for example about a full disk, says the reason.
    if (postgresError(result)) return sentenceOf(result);
    const late = `a commit took more than ${COMMIT_LIMIT_MS / SECOND_MS} seconds`;
    return (await explainStuckCommits(settings.DATABASE_URL)) ?? (result === 'late' ? late : sentenceOf(result));
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
      await deleteHeartbeat(db, about.id).catch((error: unknown) =>
        log.warn({ err: error }, 'could not delete the heartbeat of this process'),
      );
    },
  };
}
