import { MINUTE_MS } from '@/lib/platform/core/clock';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { pinPayouts } from '@/testing/providers/payouts';
import { clock } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { createSelcomAdapter, SELCOM_CAPABILITIES } from './adapter';
import { SELCOM_MATRIX } from './manifest';
import { startSelcomSimulator } from './simulator';

const adapter = createSelcomAdapter({ clock });

describeAdapter(
  'selcom',
  SELCOM_MATRIX,
  simulatedHarness({
    adapter,
    start: startSelcomSimulator,
    forge: ({ reference }) => ({
      headers: { timestamp: '2026-11-23T09:30:00+03:00', digest: 'YWJj', 'signed-fields': 'order_id,reference,payment_status,amount' },
      body: JSON.stringify({
        order_id: reference,
        transid: reference,
        reference: 'FORGED',
        result: 'SUCCESS',
        resultcode: '000',
        payment_status: 'COMPLETED',
        amount: '5001',
      }),
    }),
  }),
);

pinCapabilities('selcom', SELCOM_CAPABILITIES, {
  firstQueryMs: 3 * MINUTE_MS,
  unknownQueryMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  signsCallbacks: false,
  indexingMs: 3 * MINUTE_MS,
  promptMs: 5 * MINUTE_MS,
  networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'],
});

pinPayouts('selcom', adapter, { minAmount: 100_000n, networks: ['vodacom', 'yas', 'airtel', 'halotel', 'ttcl'] });
