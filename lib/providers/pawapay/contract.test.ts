import type { FailureReason } from '@/lib/providers/port/outcome';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { simulatedHarness, simulation } from '@/lib/testing/providers/simulated-harness';
import { createPawapayAdapter } from './adapter';
import { idOf } from './ids';
import { startPawapaySimulator } from './simulator';

const paid = { kind: 'paid', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const notApproved = failed('user_cancelled');
const simulate = simulation('0754000');

const MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': 'A deposit moves the whole requested amount or nothing',
  cancelled: simulate('002', accepted, [notApproved], 1),
  'wrong PIN': simulate('003', accepted, [notApproved], 1),
  'insufficient balance': simulate('004', accepted, [failed('insufficient_funds')], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [failed('rejected')], 1),
  'limit exceeded': simulate('015', failed('amount_invalid'), []),
  'number not registered': simulate('006', failed('mobile_not_registered'), []),
  'the customer does not answer': simulate('005', accepted, [notApproved], 1),
  'paid after it expired': simulate('011', accepted, [notApproved, paid], 2),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'the request is lost': simulate('017', unknown, [{ kind: 'not_found' }]),
  'a gateway error': simulate('018', unknown, [{ kind: 'not_found' }]),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': 'A refund has a status of its own, and the deposit stays completed',
};

describeAdapter(
  'pawapay',
  MATRIX,
  simulatedHarness({
    adapter: createPawapayAdapter({ clock: () => new Date() }),
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
