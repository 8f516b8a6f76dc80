import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { createPawapayAdapter, PAWAPAY_CAPABILITIES } from './adapter';
import { PAWAPAY_MATRIX } from './manifest';
import { startPawapaySimulator } from './simulator';
import { idOf } from './wire';

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

pinCapabilities('pawapay', PAWAPAY_CAPABILITIES, {
  firstQueryMs: 10_000,
  unknownQueryMs: 10_000,
  refusesDuplicates: true,
  signsCallbacks: true,
});
