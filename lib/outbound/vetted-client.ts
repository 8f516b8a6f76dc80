import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { type AddressRules, judgeAddresses, knownAddresses, REFUSALS, type Refusal } from './address-rules';
import { dial } from './dial';
import { nameResolver, type ResolveName } from './resolve-name';
import type { Stopwatch } from './stopwatch';

/** Restricts a call to the addresses that the rules allow, also after its host name is resolved. */
export interface Vetting {
  readonly rules: AddressRules;
  /** By default, the name servers of the system resolve names. */
  readonly resolve?: ResolveName;
}

/** The rules forbid the call. */
export class Forbidden extends Error {
  constructor(refusal: Refusal) {
    super(`the address ${REFUSALS[refusal]}`);
  }
}

/** The connection was not established, so nothing was sent. `cause` says why. */
export class NotConnected extends Error {
  constructor(override readonly cause: unknown) {
    super('no connection');
  }
}

/** Maximum size of the response headers. A call with larger ones fails. */
export const MAX_HEADER_BYTES = 16 * 1024;

const systemResolver = nameResolver();

interface CallOptions {
  /** Aborts the call in any step. */
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
}

/**
 * Creates a client for one call. Its connector resolves the name once, refuses it if any of its addresses is forbidden, and connects
 * only to the checked addresses. The certificate is checked against the name. The check is not in a `lookup` function, because undici
 * does not call that for IP addresses. The caller must destroy the client after the call.
 */
export function vettedClient(url: URL, { rules, resolve = systemResolver }: Vetting, { signal, watch }: CallOptions): Client {
  const connect: buildConnector.connector = (target, done) => {
    openSocket(target).then(
      (socket) => done(null, socket),
      (cause) => done(new NotConnected(cause), null),
    );
  };

  async function openSocket(target: buildConnector.Options): Promise<Socket> {
    const known = knownAddresses(target.hostname);
    if (!known) watch.enter('name');
    const addresses = known ?? (await resolve(target.hostname, signal));
    watch.enter('connect');
    const refusal = judgeAddresses(addresses, url, rules);
    if (refusal) throw new Forbidden(refusal);
    const socket = await dial(target, { addresses, signal, watch });
    watch.enter('answer');
    return socket;
  }

  return new Client(url.origin, { pipelining: 0, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false, connect });
}
