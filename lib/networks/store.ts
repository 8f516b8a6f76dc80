import { isNetwork, type Network, type OperatedNetwork, type Prefix } from '@/lib/core/network';
import type { Connection, Queryable } from '@/lib/db/database';
import { nullable, text } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/**
 * Creates SQL that finds the network of a national number by its prefix. This is only a guess, because customers can keep their number when
 * they change the network. @param mobile SQL for the number.
 */
export const networkByPrefix = (mobile: string) =>
  `coalesce((SELECT network FROM network_prefix WHERE prefix = substr(${mobile}, 2, 2)), 'other')`;

const FIND_NETWORK = statement({
  name: 'find the network of a prefix',
  text: `SELECT ${networkByPrefix('$mobile::text')} AS network`,
  parameters: { mobile: text },
  columns: { network: text },
});

/** Returns the network of a national number by its prefix; `other` for a prefix without a network. */
export async function findNetworkByPrefix(db: Queryable, mobile: string): Promise<Network> {
  const row = await FIND_NETWORK.first(db, { mobile });
  return row && isNetwork(row.network) ? row.network : 'other';
}

export interface PrefixRow {
  readonly prefix: string;
  readonly network: string;
}

export async function listPrefixes({ prisma }: Connection): Promise<PrefixRow[]> {
  return prisma.networkPrefix.findMany({ orderBy: { prefix: 'asc' } });
}

const UPSERT_PREFIX = statement({
  name: 'upsert a prefix',
  text: `WITH before AS (SELECT network FROM network_prefix WHERE prefix = $prefix)
         INSERT INTO network_prefix (prefix, network) VALUES ($prefix, $network)
         ON CONFLICT (prefix) DO UPDATE SET network = EXCLUDED.network
         RETURNING (SELECT network FROM before) AS previous`,
  parameters: { prefix: text, network: text },
  columns: { previous: nullable(text) },
});

/** Assigns a prefix to a network. @returns the previous network; null if the prefix had none. */
export async function upsertPrefix(db: Queryable, prefix: Prefix, network: OperatedNetwork): Promise<string | null> {
  return (await UPSERT_PREFIX.first(db, { prefix, network }))?.previous ?? null;
}

const DELETE_PREFIX = statement({
  name: 'delete a prefix',
  text: 'DELETE FROM network_prefix WHERE prefix = $prefix RETURNING network',
  parameters: { prefix: text },
  columns: { network: text },
});

/** Removes a prefix. @returns the previous network; null if the prefix had none. */
export async function deletePrefix(db: Queryable, prefix: Prefix): Promise<string | null> {
  return (await DELETE_PREFIX.first(db, { prefix }))?.network ?? null;
}
