import { MINUTE_MS } from '@/lib/platform/core/clock';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { pinPayouts } from '@/testing/providers/payouts';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { AZAMPAY_CAPABILITIES, createAzampayAdapter } from './adapter';
import { AZAMPAY_MATRIX } from './manifest';
import { startAzampaySimulator } from './simulator';

const adapter = createAzampayAdapter({ clock, sessions: createPrivateSessions() });

describeAdapter(
  'azampay',
  AZAMPAY_MATRIX,
  simulatedHarness({
    adapter,
    start: startAzampaySimulator,
    announcesPayouts: true,
    forge: ({ reference }) => ({
      body: JSON.stringify({ transactionstatus: 'success', utilityref: reference, transid: 'FORGED', amount: '5001', operator: 'Mpesa' }),
    }),
  }),
);

pinCapabilities('azampay', AZAMPAY_CAPABILITIES, {
  firstQueryMs: 30_000,
  unknownQueryMs: MINUTE_MS,
  refusesDuplicates: false,
  signsCallbacks: false,
  queriedBy: 'providerReference',
  maxAmount: 500_000_000n,
});

pinPayouts('azampay', adapter, { minAmount: 10_000n, networks: ['vodacom', 'yas', 'airtel', 'halotel'] });
