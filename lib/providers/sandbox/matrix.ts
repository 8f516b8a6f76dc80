import { type Matrix, SCENARIO_AMOUNT, simulation } from '@/lib/providers/simulation/scenarios';

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;
const accepted = { kind: 'accepted' } as const;
const simulate = simulation('0712345');
const unavailable = 'the simulated provider never gives a wrong answer';

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const SANDBOX_MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid], 0),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': simulate('009', accepted, [{ kind: 'paid', amount: 250_100n }], 1),
  cancelled: simulate('002', accepted, [{ kind: 'failed', reason: 'user_cancelled' }], 1),
  'wrong PIN': simulate('003', accepted, [{ kind: 'failed', reason: 'wrong_pin' }], 1),
  'insufficient balance': simulate('004', accepted, [{ kind: 'failed', reason: 'insufficient_funds' }], 1),
  'insufficient balance, reported as an internal error': 'the simulated provider reports the real reason',
  'limit exceeded': 'its wallets refuse by the amount, not by the number',
  'number not registered': simulate('006', { kind: 'failed', reason: 'mobile_not_registered' }, [], 0),
  'the customer does not answer': simulate('005', accepted, [{ kind: 'expired' }], 1),
  'paid after it expired': simulate('011', accepted, [{ kind: 'expired' }, paid], 2),
  'paid after nearly three minutes': 'its prompts expire earlier',
  'paid, and the answer is lost': simulate('010', { kind: 'unknown' }, [paid], 1),
  'the request is lost': unavailable,
  'a gateway error': unavailable,
  'an answer that is not JSON': unavailable,
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }], 0),
  'not found by the first status queries, then paid': 'its status queries find a prompt immediately',
  'paid, then reversed': 'it reverses payments only on request',
};
