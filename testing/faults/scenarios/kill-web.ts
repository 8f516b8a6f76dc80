import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';
import { waitForVerdict } from '../verdict';

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

export const noWeb: Scenario = {
  name: 'no-web',
  what: 'kill -9 of all web processes, started again when the alert holds',
  perSecondMax: 4,
  recoverySeconds: 30,
  async fault(world) {
    await Promise.all(world.web.map((web) => web.stop('SIGKILL')));
    // A process counts as alive for a minute after its last heartbeat.
    const detail = 'none has been seen in the last minute';
    const problems = await waitForVerdict(world, { finding: 'web_lives', detail, alert: 'BiliWebMissing', withinSeconds: 90 });
    await Promise.all(world.web.map((web) => web.start()));
    return { problems };
  },
};
