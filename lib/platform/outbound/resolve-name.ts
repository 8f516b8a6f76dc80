import { promises } from 'node:dns';
import { SECOND_MS } from '@/lib/platform/core/clock';

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

/** Error codes of a query that got no usable answer. They say nothing about the name: another name may fail as well. */
const NO_ANSWER: readonly unknown[] = ['ETIMEOUT', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'EAI_AGAIN'];
/** A name that no name server knows, so every name server that works denies it: RFC 6761, 6.4. */
const UNKNOWN_NAME = 'invalid.';
/** If queries for this many names get no answer, and none gets one in between, the fault is not that of the names. */
const MANY_NAMES = 3;
/** How long a failed query counts, milliseconds. Deliveries that wait are sent again after half a minute. */
const REMEMBERED_MS = 120 * SECOND_MS;

/** The name servers that a process uses. */
export interface NameServers {
  readonly resolve: ResolveName;
  /** Returns why no name can be resolved; null if names can be resolved, or if no recent query says anything about it. */
  problem(): string | null;
}

/**
 * Queries name servers directly. It does not use `dns.lookup` (which also reads /etc/hosts), because that occupies one of the process's few
 * threads until the answer comes. A merchant whose name server does not answer could occupy all threads.
 * After a query without an answer, it finds out whether the name servers answer at all, so that a fault of this machine's network is not
 * taken for a fault of the name.
 * @param servers name servers as `address:port`; by default those of the system.
 */
export function createNameServers(servers?: readonly string[]): NameServers {
  /** When the last query for each name got no answer, on the clock of performance.now(). */
  const unanswered = new Map<string, number>();
  let deniedAt = Number.NEGATIVE_INFINITY;
  let control: Promise<void> | undefined;

  function createResolver() {
    const resolver = new promises.Resolver(QUERY_OPTIONS);
    if (servers) resolver.setServers(servers);
    return resolver;
  }

  function noteAnswer(): void {
    unanswered.clear();
    deniedAt = Number.NEGATIVE_INFINITY;
  }

  function isRecent(at: number): boolean {
    return performance.now() - at < REMEMBERED_MS;
  }

  /** Asks for a name that does not exist. */
  async function askForUnknownName(): Promise<void> {
    try {
      await createResolver().resolve4(UNKNOWN_NAME);
      deniedAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      deniedAt = isSilence(error) ? performance.now() : Number.NEGATIVE_INFINITY;
    } finally {
      control = undefined;
    }
  }

  async function noteSilence(name: string): Promise<void> {
    unanswered.set(name, performance.now());
    control ??= askForUnknownName();
    await control;
  }

  return {
    problem() {
      const names = [...unanswered.values()].filter(isRecent).length;
      return isRecent(deniedAt) || names >= MANY_NAMES ? 'the name servers of this machine do not answer: check its DNS' : null;
    },
    async resolve(name, signal) {
      signal.throwIfAborted();
      const resolver = createResolver();
      const cancel = () => resolver.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const [four, six] = await Promise.allSettled([resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]);
        if (signal.aborted) void noteSilence(name);
        signal.throwIfAborted();
        const records = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
        if (records.length === 0 && four.status === 'rejected') {
          if (isSilence(four.reason)) await noteSilence(name);
          else noteAnswer();
          throw four.reason;
        }
        noteAnswer();
        return { addresses: records.map(({ address }) => address), ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * SECOND_MS };
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ANSWER.includes(error.code);
}

/** The name servers of the system. */
export const systemNameServers = createNameServers();
