import { type Matrix, SCENARIO_AMOUNT, simulation } from '@/lib/providers/simulation/scenarios';

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;
const reversed = { kind: 'reversed', amount: SCENARIO_AMOUNT } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const rejected = { kind: 'failed', reason: 'rejected' } as const;
const insufficient = { kind: 'failed', reason: 'insufficient_funds' } as const;
const cancelled = { kind: 'failed', reason: 'user_cancelled' } as const;
const expired = { kind: 'expired' } as const;

const simulate = simulation('0754000');

/** Scenarios with the same result in asynchronous and synchronous mode. */
const COMMON = {
  'partly paid': 'M-Pesa moves the whole requested amount or nothing',
  'limit exceeded': simulate('015', { kind: 'failed', reason: 'limit_exceeded' }, []),
  'number not registered': simulate('006', { kind: 'failed', reason: 'mobile_not_registered' }, []),
  'the request is lost': simulate('017', unknown, [{ kind: 'not_found' }]),
  'a gateway error': simulate('018', unknown, [{ kind: 'not_found' }]),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
} satisfies Partial<Matrix>;

// A status query reports a failure without its reason. Only synchronous answers contain reasons.
export const MPESA_ASYNC_MATRIX: Matrix = {
  ...COMMON,
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  cancelled: simulate('002', accepted, [cancelled], 1),
  'wrong PIN': simulate('003', accepted, [rejected], 1),
  'insufficient balance': simulate('004', accepted, [rejected], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [rejected], 1),
  'the customer does not answer': simulate('005', accepted, [expired], 1),
  'paid after it expired': simulate('011', accepted, [expired, paid], 2),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', accepted, [paid, reversed], 1),
};

const noCallback = 'synchronous mode has no callbacks';
export const MPESA_SYNC_MATRIX: Matrix = {
  ...COMMON,
  paid: simulate('001', paid, [paid]),
  'paid, and no callback comes': noCallback,
  'paid, and the callback comes before the answer': noCallback,
  'paid, and the callback comes twice': noCallback,
  cancelled: simulate('002', rejected, [cancelled]),
  'wrong PIN': simulate('003', rejected, [rejected]),
  'insufficient balance': simulate('004', insufficient, [rejected]),
  'insufficient balance, reported as an internal error': simulate('014', unknown, [rejected]),
  'the customer does not answer': simulate('005', unknown, [expired]),
  'paid after it expired': simulate('011', unknown, [expired, paid]),
  'paid after nearly three minutes': simulate('021', paid, [paid]),
  'paid, and the answer is lost': simulate('010', unknown, [paid]),
  'an answer that is not JSON': simulate('019', unknown, [paid]),
  'not found by the first status queries, then paid': simulate('016', paid, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', paid, [paid, reversed]),
};
