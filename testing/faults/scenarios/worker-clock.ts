import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Env } from '@/testing/process';
import type { Scenario } from '../scenario';
import { waitForVerdict } from '../verdict';

/** Returns the environment of a process whose Date is ahead. Node.js loads a module before the program. performance.now() is not changed. */
function clockAhead(ms: number): Env {
  const shift = `
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${ms}); else super(...given); }
  static now() { return Real.now() + ${ms}; }
};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shift)}` };
}

export const workerClock: Scenario = {
  name: 'worker-clock',
  what: 'the clock of one of two workers is 300 s ahead for 15 s',
  recoverySeconds: 30,
  async fault({ worker: [first], runtime }) {
    await first.stop('SIGTERM');
    await first.start(clockAhead(5 * MINUTE_MS));
    await delay(15_000);
    await first.stop('SIGTERM');
    await first.start();
    const [{ ahead } = { ahead: 0 }] = await runtime.db.query<{ ahead: number }>({
      text: "SELECT count(*)::int AS ahead FROM push_attempt WHERE greatest(sent_at, settled_at) > now() + interval '1 minute'",
    });
    const told = first.output().includes('a worker claims nothing');
    return {
      problems: [
        ...(told ? [] : ['the worker did not say that its clock is wrong']),
        ...(ahead > 0 ? [`${ahead} prompts have times in the future`] : []),
      ],
    };
  },
};

const webClock = (name: string, aheadMs: number, direction: string): Scenario => ({
  name,
  what: `the clock of one of two web processes is an hour ${direction} that of the database, and clients use it nevertheless`,
  recoverySeconds: 30,
  async fault(world) {
    const { web, origins, runtime } = world;
    const [first] = web;
    await first.stop('SIGTERM');
    await first.start(clockAhead(aheadMs));
    const reason = `the clock is 3600 s ${direction} the database's`;
    const problems = await waitForVerdict(world, {
      reason,
      origins: origins.slice(0, 1),
      finding: 'process_clocks',
      detail: `is 3600 s ${direction}`,
      alert: 'BiliClockWrong',
    });
    await delay(5 * SECOND_MS);
    await first.stop('SIGTERM');
    await first.start();
    const [{ late, refused } = { late: 0, refused: 0 }] = await runtime.db.query<{ late: number; refused: number }>({
      text: `SELECT (count(*) FILTER (WHERE greatest(due_at, created_at) > now() + interval '15 minutes'))::int AS late,
               (count(*) FILTER (WHERE state = 'FAILED' OR created_at < now() - interval '30 minutes'))::int AS refused FROM push_attempt`,
    });
    return {
      problems: [
        ...problems,
        ...(late > 0 ? [`${late} prompts are due or created in the future`] : []),
        ...(refused > 0 ? [`${refused} prompts failed or are too old`] : []),
      ],
    };
  },
});

export const webClockAhead = webClock('web-clock-ahead', HOUR_MS, 'ahead of');
export const webClockBehind = webClock('web-clock-behind', -HOUR_MS, 'behind');
