import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const fewConnections: Scenario = {
  name: 'few-connections',
  what: "the product's role is limited to 6 connections for 15 s, and all of its connections are ended",
  recoverySeconds: 15,
  async fault({ layout: { cluster } }) {
    await cluster.sql('ALTER ROLE bili CONNECTION LIMIT 6');
    await cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bili'");
    await delay(15_000);
    await cluster.sql('ALTER ROLE bili CONNECTION LIMIT -1');
    return {};
  },
};
