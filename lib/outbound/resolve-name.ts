import { promises } from 'node:dns';

/** Asks for every address of a name. Rejects when there is none, or with the signal's reason when that comes first. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

/** How long one question may take, milliseconds, and how often it is asked: a server that drops questions for IPv6 leaves time for the rest. */
const QUESTION = { timeout: 1_500, tries: 2 };

/**
 * @param servers name servers as `address:port`; the system's when absent.
 * @returns a function that asks them directly. `dns.lookup` would read /etc/hosts too, but each question holds one of the
 * process's few threads until it is answered, and who runs a silent name server could take them all.
 */
export function nameResolver(servers?: readonly string[]): ResolveName {
  return async (name, signal) => {
    signal.throwIfAborted();
    const resolver = new promises.Resolver(QUESTION);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      signal.throwIfAborted();
      const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
      return addresses;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
