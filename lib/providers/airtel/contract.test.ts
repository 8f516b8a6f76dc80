import type { FailureReason } from '@/lib/providers/port/outcome';
import { createPrivateSessions } from '@/lib/providers/port/private-sessions';
import type { SimulationOptions } from '@/lib/providers/simulation/simulation';
import { describeAdapter } from '@/lib/testing/providers/contract';
import type { Matrix } from '@/lib/testing/providers/scenarios';
import { simulatedHarness, simulation } from '@/lib/testing/providers/simulated-harness';
import { createAirtelAdapter } from './adapter';
import { startAirtelSimulator } from './simulator';

const paid = { kind: 'paid', amount: 500_100n, assumed: true } as const;
const accepted = { kind: 'accepted' } as const;
const unknown = { kind: 'unknown' } as const;
const expired = { kind: 'expired' } as const;
const failed = (reason: FailureReason) => ({ kind: 'failed', reason }) as const;
const simulate = simulation('0684000');

const MATRIX: Matrix = {
  paid: simulate('001', accepted, [paid], 1),
  'paid, and no callback comes': simulate('007', accepted, [paid]),
  'paid, and the callback comes before the answer': simulate('012', accepted, [paid], 1),
  'paid, and the callback comes twice': simulate('008', accepted, [paid], 2),
  'partly paid': 'A prompt moves the whole requested amount or nothing',
  cancelled: simulate('002', accepted, [failed('user_cancelled')], 1),
  'wrong PIN': simulate('003', accepted, [failed('wrong_pin')], 1),
  'insufficient balance': simulate('004', accepted, [failed('insufficient_funds')], 1),
  'insufficient balance, reported as an internal error': simulate('014', accepted, [failed('rejected')], 1),
  'limit exceeded': simulate('015', failed('limit_exceeded'), []),
  'number not registered': simulate('006', failed('mobile_not_registered'), []),
  'the customer does not answer': simulate('005', accepted, [expired]),
  'paid after it expired': simulate('011', accepted, [expired, paid], 1),
  'paid after nearly three minutes': simulate('021', accepted, [paid], 1),
  'paid, and the answer is lost': simulate('010', unknown, [paid], 1),
  'the request is lost': simulate('017', unknown, [{ kind: 'not_found' }]),
  'a gateway error': simulate('018', unknown, [{ kind: 'not_found' }]),
  'an answer that is not JSON': simulate('019', unknown, [paid], 1),
  'rejected before it is recorded': simulate('013', { kind: 'not_sent' }, [{ kind: 'not_found' }]),
  'not found by the first status queries, then paid': simulate('016', accepted, [{ kind: 'not_found' }, paid]),
  'paid, then reversed': simulate('020', accepted, [paid, { kind: 'reversed', amount: 500_100n }], 1),
};

for (const version of ['v1', 'v2'] as const) {
  describeAdapter(
    `airtel, ${version}`,
    MATRIX,
    simulatedHarness({
      adapter: createAirtelAdapter({
        clock: () => new Date(),
        random: (count) => crypto.getRandomValues(new Uint8Array(count)),
        sessions: createPrivateSessions(),
      }),
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
