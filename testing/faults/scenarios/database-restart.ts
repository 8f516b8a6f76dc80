import type { Scenario } from '../scenario';

export const databaseRestart: Scenario = {
  name: 'database-restart',
  what: 'PostgreSQL crashes (immediate shutdown) and is started again at once',
  recoverySeconds: 15,
  async fault({ layout: { cluster } }) {
    await cluster.stop('immediate');
    await cluster.start();
    return {};
  },
};
