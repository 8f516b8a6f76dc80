import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import type { SimulationOptions } from '@/lib/providers/simulation/simulation';
import { describeAdapter } from '@/lib/testing/providers/contract';
import { clock, random } from '@/lib/testing/providers/samples';
import { simulatedHarness } from '@/lib/testing/providers/simulated-harness';
import { createAirtelAdapter } from './adapter';
import { AIRTEL_MATRIX } from './matrix';
import { startAirtelSimulator } from './simulator';

for (const version of ['v1', 'v2'] as const) {
  describeAdapter(
    `airtel, ${version}`,
    AIRTEL_MATRIX,
    simulatedHarness({
      adapter: createAirtelAdapter({ clock, random, sessions: createPrivateSessions() }),
      network: 'airtel',
      start: async (options: SimulationOptions) => {
        const simulator = await startAirtelSimulator(options);
        return { ...simulator, credentials: { ...simulator.credentials, version } };
      },
      forge: ({ reference }) => ({
        body: JSON.stringify({
          transaction: { id: reference, message: 'Paid TZS 5,001', status_code: 'TS', airtel_money_id: 'MP210603.1234.L06941' },
          hash: Buffer.alloc(32).toString('base64'),
        }),
      }),
    }),
  );
}
