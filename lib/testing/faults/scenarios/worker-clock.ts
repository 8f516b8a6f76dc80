import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

const AHEAD_MS = 300_000;

/** A module that Node.js loads before the program. It moves Date ahead, but not performance.now(). */
const SHIFT = `
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${AHEAD_MS}); else super(...given); }
  static now() { return Real.now() + ${AHEAD_MS}; }
};`;

export const workerClock: Scenario = {
  name: 'worker-clock',
  what: 'the clock of one of two workers is 300 s ahead for 15 s',
  recoverySeconds: 30,
  async fault({ worker: [first], runtime }) {
    await first.stop('SIGTERM');
    await first.start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(SHIFT)}` });
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
