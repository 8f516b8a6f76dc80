import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createClickpesaAdapter } from './adapter';
import { CLICKPESA_MATRIX } from './matrix';
import { startClickpesaSimulator } from './simulator';

describeAdapter(
  'clickpesa',
  CLICKPESA_MATRIX,
  simulatedHarness({
    adapter: createClickpesaAdapter({ clock, sessions: createPrivateSessions() }),
    start: startClickpesaSimulator,
    forge: ({ reference }) => ({
      body: JSON.stringify({
        event: 'PAYMENT RECEIVED',
        data: { id: 'FORGED', status: 'SUCCESS', orderReference: reference, collectedAmount: '5001', collectedCurrency: 'TZS' },
        checksum: 'ab'.repeat(32),
      }),
    }),
  }),
);
