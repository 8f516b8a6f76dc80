import { isNetwork, type Network } from '@/lib/platform/core/network';
import type { Connection } from '@/lib/platform/db/database';

/**
 * Creates SQL that finds the network of a national number by its prefix. This is only a guess, because customers can keep their number when
 * they change the network. @param mobile SQL for the number.
 */
export const networkByPrefix = (mobile: string) =>
  `coalesce((SELECT network FROM network_prefix WHERE prefix = substr(${mobile}, 2, 2)), 'other')`;

/** Returns the network of a national number by its prefix; `other` for a prefix without a network. */
export async function findNetworkByPrefix({ prisma }: Connection, mobile: string): Promise<Network> {
  const row = await prisma.networkPrefix.findUnique({ where: { prefix: mobile.slice(1, 3) } });
  return row && isNetwork(row.network) ? row.network : 'other';
}

export interface PrefixRow {
  readonly prefix: string;
  readonly network: string;
}

export async function listPrefixes({ prisma }: Connection): Promise<PrefixRow[]> {
  return prisma.networkPrefix.findMany({ orderBy: { prefix: 'asc' } });
}
