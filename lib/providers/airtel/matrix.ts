import { ACCEPTED, EXPIRED, type Matrix, SCENARIO_AMOUNT, simulation, usualScenarios } from '@/lib/providers/simulation/scenarios';

const simulate = simulation('0684000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, assumed: true } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const AIRTEL_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0684000', paid }),
  'the customer does not answer': simulate('005', ACCEPTED, [EXPIRED]),
  'paid after it expired': simulate('011', ACCEPTED, [EXPIRED, paid], 1),
};
