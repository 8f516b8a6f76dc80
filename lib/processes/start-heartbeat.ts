import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { readVersion } from '@/lib/config/version';
import { SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { beat, deleteHeartbeat, type ForeignForms, type Role } from './store';

const EACH_MS = 10 * SECOND_MS;

interface RunningHeartbeat {
  stop(): Promise<void>;
}

const NO_FORMS: ForeignForms = { count: 0, last: null };

/**
 * Updates this process's heartbeat row every ten seconds. Resolves after the first update, even if that failed.
 * @param foreignForms the forms that this process has refused until now because of their origin. It is read at each update.
 */
export async function startHeartbeat(
  { db, clock, random, log }: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  role: Role,
  foreignForms = NO_FORMS,
): Promise<RunningHeartbeat> {
  const about = { id: newId({ clock, random }), role, version: readVersion(), host: hostname(), pid: process.pid, startedAt: clock() };
  const stopping = new AbortController();
  const once = () =>
    beat(db, { ...about, foreignForms }, clock()).catch((error: unknown) =>
      log.warn({ err: error }, 'could not update the heartbeat of this process'),
    );

  async function run(): Promise<void> {
    while (await delay(EACH_MS, true, { signal: stopping.signal }).catch(() => false)) await once();
  }

  await once();
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      await deleteHeartbeat(db, about.id).catch((error: unknown) =>
        log.warn({ err: error }, 'could not delete the heartbeat of this process'),
      );
    },
  };
}
