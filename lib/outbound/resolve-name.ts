import { promises } from 'node:dns';
import { SECOND_MS } from '@/lib/core/clock';

export interface ResolvedName {
  readonly addresses: readonly string[];
  /** How long the addresses are valid, in milliseconds: the shortest TTL of the DNS records. */
  readonly ttlMs: number;
}

/** Resolves a name to all its addresses. Rejects if there is none, or with the signal's reason if it aborts first. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<ResolvedName>;

/**
 * Timeout in milliseconds and number of tries of a DNS query. Both are small, because some name servers do not answer IPv6 queries. After
 * such a query, there must be enough time left for the call.
 */
const QUERY_OPTIONS = { timeout: 1_500, tries: 2 };

/**
 * Returns a function that queries name servers directly. It does not use `dns.lookup` (which also reads /etc/hosts), because that occupies
 * one of the process's few threads until the answer comes. A merchant whose name server does not answer could occupy all threads.
 * @param servers name servers as `address:port`; by default those of the system.
 */
export function nameResolver(servers?: readonly string[]): ResolveName {
  return async (name, signal) => {
    signal.throwIfAborted();
    const resolver = new promises.Resolver(QUERY_OPTIONS);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]);
      signal.throwIfAborted();
      const records = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (records.length === 0 && four.status === 'rejected') throw four.reason;
      return { addresses: records.map(({ address }) => address), ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * SECOND_MS };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
