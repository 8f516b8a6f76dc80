import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP, isIPv6, type LookupFunction, Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { type CertificateFault, certificateFault } from './certificate-facts';
import type { Stopwatch } from './stopwatch';

/** The receiver's certificate was refused, so nothing was sent. */
export class BadCertificate extends Error {
  constructor(
    readonly fault: CertificateFault,
    override readonly cause: Error,
  ) {
    super(cause.message);
  }
}

interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

interface DialOptions {
  /** Where the name may be found: it is not asked for again. */
  readonly addresses: readonly string[];
  /** Ends it, with the signal's reason. */
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
}

/** Before the next address of a name is tried, milliseconds. Node's 250 is short for a slow line. */
const NEXT_ADDRESS_MS = 1_500;

/**
 * Goes through the steps `connect`, which is under way already, and `tls`.
 * @returns a socket that stands, over TLS where the protocol is https and only with a good certificate for the name.
 */
export async function dial({ protocol, hostname, port }: Target, { addresses, signal, watch }: DialOptions): Promise<Socket> {
  const secure = protocol === 'https:';
  const socket = new Socket().setNoDelay(true);
  socket.on('connectionAttempt', (address: string) => {
    watch.address = address;
  });
  socket.connect({
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  });
  await standing(socket, 'connect', signal);
  if (!secure) return socket;
  watch.enter('tls');
  return secured(socket, hostname, signal);
}

async function secured(socket: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostname.replace(/\.$/, '');
  const safe = tls.connect({ socket, host, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] });
  // Node judges the certificate in a listener of its own for this event, and lets go of it: ours reads it first and decides nothing.
  // (Not by getPeerX509Certificate: in Node 24 that takes the certificate out of the chain which Node judges next.)
  let peer: Buffer | undefined;
  safe.prependOnceListener('secure', () => {
    peer = safe.getPeerCertificate().raw;
  });
  try {
    await standing(safe, 'secureConnect', signal);
  } catch (error) {
    if (!peer || !(error instanceof Error) || !('code' in error)) throw error;
    throw new BadCertificate(certificateFault(String(error.code), new X509Certificate(peer), new Date()), error);
  }
  return safe;
}

/** Waits for an event of a socket, which is destroyed when it does not come. */
async function standing(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  // An error after the one that is thrown, or before the client listens, must not end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

/** A lookup that answers with these addresses, whatever it is asked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, all);
}
