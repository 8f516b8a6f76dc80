import { z } from 'zod';
import { openEnum } from '@/lib/gateway/bills/answer-schema';
import { OPERATED_NETWORKS, WALLETS } from '@/lib/platform/core/network';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listNetworkHealth } from '@/lib/providers/accounts/route-store';

/** `not_served`: no account serves the network. `problems`: every account that serves it is suspended now. */
const STATUSES = ['working', 'problems', 'not_served'] as const;

const networkSchema = z
  .object({
    network: openEnum(OPERATED_NETWORKS).meta({ description: 'The mobile network.' }),
    wallet: z.string().meta({ description: 'The name of its mobile money that customers know.' }),
    status: z.enum(STATUSES).meta({
      description: '`problems`: prompts are tried, and may be late or fail. `not_served`: no provider account serves the network.',
    }),
  })
  .meta({ title: 'Network', description: 'Whether the customers of a mobile network can pay bills now.' });

export const networksSchema = z.object({ networks: z.array(networkSchema) });

export const NETWORKS_EXAMPLE = {
  networks: [
    { network: 'vodacom', wallet: 'M-Pesa', status: 'working' },
    { network: 'airtel', wallet: 'Airtel Money', status: 'problems' },
    { network: 'ttcl', wallet: 'T-Pesa', status: 'not_served' },
  ],
} satisfies z.output<typeof networksSchema>;

/** Returns the status of each network: whether its customers can pay the merchant's bills now. */
export async function readNetworks({ db, clock }: Pick<Runtime, 'db' | 'clock'>, scope: Scope): Promise<z.output<typeof networksSchema>> {
  const health = new Map((await listNetworkHealth(db, scope, clock())).map(({ network, down }) => [network, down]));
  const statusOf = (network: string) => (health.has(network) ? (health.get(network) ? 'problems' : 'working') : 'not_served');
  return { networks: OPERATED_NETWORKS.map((network) => ({ network, wallet: WALLETS[network], status: statusOf(network) })) };
}
