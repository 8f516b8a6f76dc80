import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createSnippeAdapter } from './adapter';
import { SNIPPE_MATRIX } from './matrix';
import { startSnippeSimulator } from './simulator';

describeAdapter(
  'snippe',
  SNIPPE_MATRIX,
  simulatedHarness({
    adapter: createSnippeAdapter({ clock }),
    start: startSnippeSimulator,
    forge: ({ reference }) => ({
      headers: { 'x-webhook-timestamp': String(Math.floor(Date.now() / 1_000)), 'x-webhook-signature': 'ab'.repeat(32) },
      body: JSON.stringify({
        id: 'evt_forged',
        type: 'payment.completed',
        data: { reference: 'forged', status: 'completed', amount: { value: 5_001, currency: 'TZS' }, metadata: { reference } },
      }),
    }),
  }),
);
