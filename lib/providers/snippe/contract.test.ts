import type { FailureReason } from '@/lib/providers/port/outcome';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { simulatedHarness, simulation } from '@/lib/testing/providers/simulated-harness';
import { createSnippeAdapter } from './adapter';
import { startSnippeSimulator } from './simulator';

const clock = () => new Date();
const paid = { kind: 'paid', amount: 500_100n, fee: 2_500n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const simulate = simulation('0754000');

const MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': 'Snippe moves the whole requested amount or nothing',
  cancelled: simulate('002', accepted, [failed('user_cancelled')], 1),
  'wrong PIN': simulate('003', accepted, [failed('wrong_pin')], 1),
  'insufficient balance': simulate('004', accepted, [failed('insufficient_funds')], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [failed('rejected')], 1),
  'limit exceeded': simulate('015', failed('limit_exceeded'), []),
  'number not registered': simulate('006', failed('mobile_not_registered'), []),
  'the customer does not answer': simulate('005', accepted, [{ kind: 'expired' }], 1),
  'paid after it expired': simulate('011', accepted, [{ kind: 'expired' }, paid], 2),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'the request is lost': simulate('017', unknown, []),
  'a gateway error': simulate('018', unknown, []),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, []),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': 'Snippe reports no reversals of payments',
};

describeAdapter(
  'snippe',
  MATRIX,
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
