import { ACCEPTED, failed, type Matrix, SCENARIO_AMOUNT, simulation, usualScenarios } from '@/lib/providers/simulation/scenarios';

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const PAWAPAY_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid, unanswered: failed('user_cancelled') }),
  // pawaPay reports the same code for every prompt that the customer did not approve, whatever the reason.
  'wrong PIN': simulate('003', ACCEPTED, [failed('user_cancelled')], 1),
  'limit exceeded': simulate('015', failed('amount_invalid'), []),
  'paid, then reversed': 'A refund has a status of its own, and the deposit stays completed',
};
