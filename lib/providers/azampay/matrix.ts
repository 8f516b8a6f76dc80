import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/simulation/scenarios';

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, assumed: true } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const AZAMPAY_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('user_timeout') }),
  // Without the answer to the request, the status of the payment cannot be queried.
  'paid, and the answer is lost': simulate('010', UNKNOWN, [], 1),
  'the request is lost': simulate('017', UNKNOWN, []),
  'a gateway error': simulate('018', UNKNOWN, []),
  'an answer that is not JSON': simulate('019', UNKNOWN, [], 1),
  'rejected before it is recorded': simulate('013', UNKNOWN, []),
  'paid, then reversed': simulate('020', ACCEPTED, [paid, { ...paid, kind: 'reversed' }], 1),
};
