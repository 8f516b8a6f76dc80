import { MINUTE_MS } from '@/lib/platform/core/clock';
import type { SimulationOptions } from '@/lib/providers/kit/simulation';
import { createPrivateSessions } from '@/lib/providers/port/sessions';
import { describeAdapter, pinCapabilities } from '@/testing/providers/contract';
import { pinPayouts } from '@/testing/providers/payouts';
import { clock, random } from '@/testing/providers/samples';
import { simulatedHarness } from '@/testing/providers/simulated-harness';
import { AIRTEL_CAPABILITIES, createAirtelAdapter } from './adapter';
import { AIRTEL_MATRIX } from './manifest';
import { startAirtelSimulator } from './simulator';

const adapter = createAirtelAdapter({ clock, random, sessions: createPrivateSessions() });

for (const version of ['v1', 'v2'] as const) {
  describeAdapter(
    `airtel, ${version}`,
    AIRTEL_MATRIX,
    simulatedHarness({
      adapter,
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

pinCapabilities('airtel', AIRTEL_CAPABILITIES, {
  firstQueryMs: 3 * MINUTE_MS,
  unknownQueryMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  signsCallbacks: false,
  indexingMs: 5 * MINUTE_MS,
  networks: ['airtel'],
});

pinPayouts('airtel', adapter, { minAmount: 10_000n, networks: ['airtel'] });
