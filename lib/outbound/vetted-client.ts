import { isIPv6, type LookupFunction } from 'node:net';
import { buildConnector, Client } from 'undici';
import { type AddressRules, judgeAddresses, knownAddresses, REFUSALS, type Refusal } from './address-rules';
import { nameResolver, type ResolveName } from './resolve-name';

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
/** Before the next address of a name is tried, milliseconds. Node's 250 is short for a slow line. */
const NEXT_ADDRESS_MS = 1_500;

/**
 * A client for one call. Its connector resolves the name once, refuses it if any of its addresses is forbidden, and connects to
 * the addresses it has judged and no others; the certificate is checked against the name. undici asks a `lookup` hook for names
 * only, so it is the connector that judges, where literal addresses pass too.
 * @param signal ends everything: asking for the name, connecting, TLS, the call. Destroy the client after the call.
 */
export function vettedClient(url: URL, { rules, resolve = systemResolver }: Vetting, signal: AbortSignal): Client {
  const connect: buildConnector.connector = (target, done) => {
    dial(target).then(
      (socket) => done(null, socket),
      (cause) => done(new NotConnected(cause), null),
    );
  };

  async function dial(target: buildConnector.Options): Promise<Socket> {
    const addresses = knownAddresses(target.hostname) ?? (await resolve(target.hostname, signal));
    const refusal = judgeAddresses(addresses, url, rules);
    if (refusal) throw new Forbidden(refusal);
    const connector = buildConnector({
      lookup: pinned(addresses),
      signal,
      timeout: 0,
      allowH2: false,
      maxCachedSessions: 0,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    });
    return new Promise((resolved, rejected) => {
      connector(target, (error, socket) => (error ? rejected(error) : resolved(socket)));
    });
  }

  return new Client(url.origin, { pipelining: 0, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false, connect });
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

/** A lookup that answers with these addresses, whatever it is asked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, all);
}
