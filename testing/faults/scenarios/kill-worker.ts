import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const killWorker: Scenario = {
  name: 'kill-worker',
  what: 'kill -9 of one of two workers, started again after 5 s',
  recoverySeconds: 30,
  async fault({ worker: [first] }) {
    await first.stop('SIGKILL');
    await delay(5_000);
    await first.start();
    return {};
  },
};
