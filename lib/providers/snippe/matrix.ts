import { type Matrix, SCENARIO_AMOUNT, simulation, UNKNOWN, usualScenarios } from '@/lib/providers/simulation/scenarios';

const simulate = simulation('0754000');
const paid = { kind: 'paid', amount: SCENARIO_AMOUNT, fee: 2_500n } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const SNIPPE_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0754000', paid }),
  'the request is lost': simulate('017', UNKNOWN, []),
  'a gateway error': simulate('018', UNKNOWN, []),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, []),
  'paid, then reversed': 'Snippe reports no reversals of payments',
};
