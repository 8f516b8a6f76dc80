import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const killWeb: Scenario = {
  name: 'kill-web',
  what: 'kill -9 of one of two web processes, started again after 2 s',
  recoverySeconds: 30,
  async fault({ web: [first] }) {
    await first.stop('SIGKILL');
    await delay(2_000);
    await first.start();
    return {};
  },
};
