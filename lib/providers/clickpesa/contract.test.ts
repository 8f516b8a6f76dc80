import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { describeInstruments } from '@/testing/providers/instruments';
import { pinPayouts } from '@/testing/providers/payouts';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { CLICKPESA_CAPABILITIES, createClickpesaAdapter } from './adapter';
import { CLICKPESA_MATRIX } from './manifest';
import { startClickpesaSimulator } from './simulator';

const adapter = createClickpesaAdapter({ clock, sessions: createPrivateSessions() });

const OPTIONS: Parameters<typeof simulatedHarness>[0] = {
  adapter,
  start: startClickpesaSimulator,
  announcesPayouts: true,
  showsEnds: false,
  forge: ({ reference }) => ({
    body: JSON.stringify({
      event: 'PAYMENT RECEIVED',
      data: { id: 'FORGED', status: 'SUCCESS', orderReference: reference, collectedAmount: '5001', collectedCurrency: 'TZS' },
      checksum: 'ab'.repeat(32),
    }),
  }),
};

describeAdapter('clickpesa', CLICKPESA_MATRIX, simulatedHarness(OPTIONS));

describeInstruments(
  'clickpesa, with customer control numbers',
  simulatedHarness({
    ...OPTIONS,
    async start(options) {
      const simulator = await startClickpesaSimulator(options);
      return { ...simulator, credentials: { ...simulator.credentials, billPayEmail: 'payments@example.com' } };
    },
  }),
);

pinCapabilities('clickpesa', CLICKPESA_CAPABILITIES, {
  firstQueryMs: 15_000,
  unknownQueryMs: 15_000,
  refusesDuplicates: true,
  signsCallbacks: true,
});

pinPayouts('clickpesa', adapter, { minAmount: 10_000n, networks: ['vodacom', 'yas', 'airtel', 'halotel'] });
