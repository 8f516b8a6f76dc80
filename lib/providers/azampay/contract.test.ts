import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createAzampayAdapter } from './adapter';
import { AZAMPAY_MATRIX } from './matrix';
import { startAzampaySimulator } from './simulator';

describeAdapter(
  'azampay',
  AZAMPAY_MATRIX,
  simulatedHarness({
    adapter: createAzampayAdapter({ clock, sessions: createPrivateSessions() }),
    start: startAzampaySimulator,
    forge: ({ reference }) => ({
      body: JSON.stringify({ transactionstatus: 'success', utilityref: reference, transid: 'FORGED', amount: '5001', operator: 'Mpesa' }),
    }),
  }),
);
