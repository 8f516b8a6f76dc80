import { isNetwork, type Network, type OperatedNetwork, type Prefix } from '@/lib/core/network';
import type { Queryable } from '@/lib/db/database';

/** SQL for the network of a national number by its prefix: a first guess, for numbers are portable. @param mobile an SQL text. */
export const networkByPrefix = (mobile: string) =>
  `coalesce((SELECT network FROM network_prefix WHERE prefix = substr(${mobile}, 2, 2)), 'other')`;

/** @returns the network that a national number's prefix belongs to now, `other` for a prefix nobody operates. */
export async function findNetworkByPrefix(db: Queryable, mobile: string): Promise<Network> {
  const [row] = await db.query<{ network: string }>({ text: `SELECT ${networkByPrefix('$1::text')} AS network` }, [mobile]);
  return row && isNetwork(row.network) ? row.network : 'other';
}

export interface PrefixRow {
  readonly prefix: string;
  readonly network: string;
}

export async function listPrefixes(db: Queryable): Promise<PrefixRow[]> {
  return db.query<PrefixRow>({ text: 'SELECT prefix, network FROM network_prefix ORDER BY prefix' });
}

/** @returns the network that the prefix belonged to before; null when it was nobody's. */
export async function upsertPrefix(db: Queryable, prefix: Prefix, network: OperatedNetwork): Promise<string | null> {
  const [row] = await db.query<{ previous: string | null }>(
    {
      text: `WITH before AS (SELECT network FROM network_prefix WHERE prefix = $1)
             INSERT INTO network_prefix (prefix, network) VALUES ($1, $2)
             ON CONFLICT (prefix) DO UPDATE SET network = EXCLUDED.network
             RETURNING (SELECT network FROM before) AS previous`,
    },
    [prefix, network],
  );
  return row?.previous ?? null;
}

/** @returns the network that the prefix belonged to; null when it was nobody's. */
export async function deletePrefix(db: Queryable, prefix: Prefix): Promise<string | null> {
  const [row] = await db.query<{ network: string }>({ text: 'DELETE FROM network_prefix WHERE prefix = $1 RETURNING network' }, [prefix]);
  return row?.network ?? null;
}
