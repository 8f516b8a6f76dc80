import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createPawapayAdapter } from './adapter';
import { idOf } from './ids';
import { PAWAPAY_MATRIX } from './matrix';
import { startPawapaySimulator } from './simulator';

describeAdapter(
  'pawapay',
  PAWAPAY_MATRIX,
  simulatedHarness({
    adapter: createPawapayAdapter({ clock }),
    start: startPawapaySimulator,
    showsReversals: false,
    forge: ({ reference }) => ({
      headers: { 'content-digest': `sha-512=:${'ab'.repeat(32)}:`, signature: 'sig-pp=:AAAA:', 'signature-input': 'sig-pp=("@method")' },
      body: JSON.stringify({
        depositId: idOf(reference),
        status: 'COMPLETED',
        amount: '5001',
        currency: 'TZS',
        clientReferenceId: reference,
      }),
    }),
  }),
);
