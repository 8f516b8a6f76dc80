import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createSelcomAdapter } from './adapter';
import { SELCOM_MATRIX } from './matrix';
import { startSelcomSimulator } from './simulator';

describeAdapter(
  'selcom',
  SELCOM_MATRIX,
  simulatedHarness({
    adapter: createSelcomAdapter({ clock }),
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
