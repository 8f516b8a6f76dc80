import { MINUTE_MS } from '@/lib/platform/core/clock';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { createMixxAdapter, MIXX_CAPABILITIES } from './adapter';
import { MIXX_MATRIX } from './manifest';
import { startMixxSimulator } from './simulator';

describeAdapter(
  'mixx',
  MIXX_MATRIX,
  simulatedHarness({
    adapter: createMixxAdapter({ clock, sessions: createPrivateSessions() }),
    start: startMixxSimulator,
    network: 'yas',
    forge: ({ reference }) => ({
      body: JSON.stringify({
        Status: true,
        Description: 'ok',
        MFSTransactionID: 'FORGED',
        ReferenceID: `BILI${reference}`,
        Amount: '5001',
      }),
    }),
  }),
);

pinCapabilities('mixx', MIXX_CAPABILITIES, {
  firstQueryMs: MINUTE_MS,
  unknownQueryMs: MINUTE_MS,
  refusesDuplicates: false,
  signsCallbacks: false,
  networks: ['yas'],
});
