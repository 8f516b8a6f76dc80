import { HOUR_MS } from '@/lib/platform/core/clock';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { pinPayouts } from '@/testing/providers/payouts';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { createSnippeAdapter, SNIPPE_CAPABILITIES } from './adapter';
import { SNIPPE_MATRIX } from './manifest';
import { startSnippeSimulator } from './simulator';

const adapter = createSnippeAdapter({ clock });

describeAdapter(
  'snippe',
  SNIPPE_MATRIX,
  simulatedHarness({
    adapter,
    start: startSnippeSimulator,
    announcesPayouts: true,
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

pinCapabilities('snippe', SNIPPE_CAPABILITIES, {
  firstQueryMs: 15_000,
  unknownQueryMs: 15_000,
  refusesDuplicates: true,
  signsCallbacks: true,
  queriedBy: 'providerReference',
  repeatsAnswerMs: 24 * HOUR_MS,
  indexingMs: 30_000,
  minAmount: 50_000n,
});

pinPayouts('snippe', adapter, { minAmount: 500_000n, networks: ['vodacom', 'yas', 'airtel', 'halotel'] });
