import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '../scenario';

export const providerGone: Scenario = {
  name: 'provider-gone',
  what: 'the provider refuses connections for 15 s, and those that are open are reset',
  recoverySeconds: 60,
  async fault({ provider }) {
    await provider.accept('refuse');
    provider.reset();
    await delay(15_000);
    await provider.accept('pass');
    return {};
  },
};
