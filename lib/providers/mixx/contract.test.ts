import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createMixxAdapter } from './adapter';
import { MIXX_MATRIX } from './matrix';
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
