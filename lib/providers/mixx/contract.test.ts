import type { FailureReason } from '@/lib/providers/port/outcome';
import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { simulatedHarness, simulation } from '@/lib/testing/providers/simulated-harness';
import { createMixxAdapter } from './adapter';
import { startMixxSimulator } from './simulator';

const paid = { kind: 'paid', amount: 500_100n } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const notFound = { kind: 'not_found' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const simulate = simulation('0714000');

const MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': 'A prompt moves the whole requested amount or nothing',
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
  'the request is lost': simulate('017', unknown, [notFound]),
  'a gateway error': simulate('018', unknown, [notFound]),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [notFound]),
  'not found by the first status queries, then paid': simulate('016', accepted, [notFound, paid]),
  'paid, then reversed': simulate('020', accepted, [paid, { kind: 'reversed', amount: 500_100n }], 1),
};

describeAdapter(
  'mixx',
  MATRIX,
  simulatedHarness({
    adapter: createMixxAdapter({ clock: () => new Date(), sessions: createPrivateSessions() }),
    start: startMixxSimulator,
    network: 'yas',
    forge: ({ reference }) => ({
      body: JSON.stringify({
        Status: true,
        Description: 'ok',
        MFSTransactionID: 'FORGED',
        ReferenceID: `BILI${reference}`,
        Amount: '5001',
      }),
    }),
  }),
);
