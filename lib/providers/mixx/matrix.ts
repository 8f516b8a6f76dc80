import { type Matrix, SCENARIO_AMOUNT, usualScenarios } from '@/lib/providers/simulation/scenarios';

const paid = { kind: 'paid', amount: SCENARIO_AMOUNT } as const;

/** What the adapter reports in each scenario. The contract test checks this table against the simulator. */
export const MIXX_MATRIX: Matrix = {
  ...usualScenarios({ prefix: '0714000', paid }),
};
