import type { FailureReason } from '@/lib/providers/port/outcome';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { simulatedHarness, simulation } from '@/lib/testing/providers/simulated-harness';
import { createSelcomAdapter } from './adapter';
import { startSelcomSimulator } from './simulator';

const paid = { kind: 'paid', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
// The order exists. That it has no prompt is not visible.
const pending = { kind: 'pending' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const simulate = simulation('0754000');

// Selcom calls back about successful payments only, and gives no reason for others.
const MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': 'An order is paid in whole',
  cancelled: simulate('002', accepted, [failed('user_cancelled')]),
  'wrong PIN': simulate('003', accepted, [failed('rejected')]),
  'insufficient balance': simulate('004', accepted, [failed('rejected')]),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [failed('rejected')]),
  'limit exceeded': simulate('015', failed('limit_exceeded'), [pending]),
  'number not registered': simulate('006', failed('mobile_not_registered'), [pending]),
  'the customer does not answer': simulate('005', accepted, [failed('rejected')]),
  'paid after it expired': simulate('011', accepted, [failed('rejected'), paid], 1),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'the request is lost': simulate('017', unknown, [pending]),
  'a gateway error': simulate('018', unknown, [pending]),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  // Selcom documents no answer to too many requests, so that it leaves the result open.
  'rejected before it is recorded': simulate('013', unknown, [pending]),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': 'Selcom reports no reversals of payments',
};

describeAdapter(
  'selcom',
  MATRIX,
  simulatedHarness({
    adapter: createSelcomAdapter({ clock: () => new Date() }),
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
