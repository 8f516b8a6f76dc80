import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { type AddressRules, judgeAddresses, knownAddresses, REFUSALS, type Refusal } from './address-rules';
import { dial } from './dial';
import { nameResolver, type ResolveName } from './resolve-name';
import type { Stopwatch } from './stopwatch';

/** Calls go only where the rules allow, whatever the address says and its name servers answer. */
export interface Vetting {
  readonly rules: AddressRules;
  /** The system's name servers when absent. */
  readonly resolve?: ResolveName;
}

/** The rules do not let the call go there. */
export class Forbidden extends Error {
  constructor(refusal: Refusal) {
    super(`the address ${REFUSALS[refusal]}`);
  }
}

/** No connection came to stand, so nothing was sent; the cause says why. */
export class NotConnected extends Error {
  constructor(override readonly cause: unknown) {
    super('no connection');
  }
}

/** More header than this ends the call. */
export const MAX_HEADER_BYTES = 16 * 1024;

const systemResolver = nameResolver();

interface CallOptions {
  /** Ends everything: asking for the name, connecting, TLS, the call. */
  readonly signal: AbortSignal;
  /** Is told of each step. */
  readonly watch: Stopwatch;
}

/**
 * A client for one call. Its connector resolves the name once, refuses it if any of its addresses is forbidden, and connects to
 * the addresses it has judged and no others; the certificate is checked against the name. undici asks a `lookup` hook for names
 * only, so it is the connector that judges, where literal addresses pass too. Destroy the client after the call.
 */
export function vettedClient(url: URL, { rules, resolve = systemResolver }: Vetting, { signal, watch }: CallOptions): Client {
  const connect: buildConnector.connector = (target, done) => {
    reachOut(target).then(
      (socket) => done(null, socket),
      (cause) => done(new NotConnected(cause), null),
    );
  };

  async function reachOut(target: buildConnector.Options): Promise<Socket> {
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
