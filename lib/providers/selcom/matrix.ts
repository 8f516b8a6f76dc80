import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/simulation/scenarios';

const simulate = simulation('0754000');
/** The outcome of a status query if the order exists. Selcom gives the same answer whether or not a prompt was sent for the order. */
const pending = { kind: 'pending' } as const;
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const SELCOM_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('rejected') }),
  'partly paid': 'An order is paid in whole',
  // Selcom calls back about successful payments only. For a failure, a status query says whether the customer cancelled, and gives no other
  // reason.
  cancelled: simulate('002', ACCEPTED, [failed('user_cancelled')]),
  'wrong PIN': simulate('003', ACCEPTED, [failed('rejected')]),
  'insufficient balance': simulate('004', ACCEPTED, [failed('rejected')]),
  'insufficient balance, reported as an internal error': simulate('014', ACCEPTED, [failed('rejected')]),
  'limit exceeded': simulate('015', failed('limit_exceeded'), [pending]),
  'number not registered': simulate('006', failed('mobile_not_registered'), [pending]),
  'the customer does not answer': simulate('005', ACCEPTED, [failed('rejected')]),
  'paid after it expired': simulate('011', ACCEPTED, [failed('rejected'), paid], 1),
  'the request is lost': simulate('017', UNKNOWN, [pending]),
  'a gateway error': simulate('018', UNKNOWN, [pending]),
  // Selcom documents no answer to too many requests, so such an answer leaves the result open.
  'rejected before it is recorded': simulate('013', UNKNOWN, [pending]),
  'paid, then reversed': 'Selcom reports no reversals of payments',
};
