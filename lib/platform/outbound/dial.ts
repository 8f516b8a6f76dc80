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

/** Stated, because NODE_TLS_REJECT_UNAUTHORIZED and --tls-min-v1.0 change Node's defaults. */
export const STRICT_TLS = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

interface DialOptions {
  /** The only addresses to connect to. The name is not resolved again. */
  readonly addresses: readonly string[];
  /** Aborts the connection. `dial` then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
}

/** Time before the next address of a name is tried, in milliseconds. Node's default of 250 is too short for slow networks. */
const NEXT_ADDRESS_MS = 1_500;

/**
 * Connects to a host, with TLS if the protocol is https. The stopwatch must already be in the step `connect`.
 * @returns the connected socket. Throws if the connection fails, or with BadCertificate if the certificate is not valid for the name.
 */
export async function dial(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  { addresses, signal, watch }: DialOptions,
): Promise<Socket> {
  const secure = protocol === 'https:';
  const socket = new Socket().setNoDelay(true);
  socket.on('connectionAttempt', (address: string) => {
    watch.address = address;
  });
  socket.connect({
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  });
  await waitFor(socket, 'connect', signal);
  if (!secure) return socket;
  watch.enter('tls');
  return startTls(socket, hostname, signal);
}

async function startTls(socket: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostname.replace(/\.$/, '');
  const safe = tls.connect({ socket, host, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'], ...STRICT_TLS });
  // Node's own handler of the event `secure` checks the certificate and then discards it. This handler runs before that one and only
  // copies the certificate. (In Node 24, getPeerX509Certificate would remove the certificate from the chain that Node checks next.)
  let peer: Buffer | undefined;
  safe.prependOnceListener('secure', () => {
    peer = safe.getPeerCertificate().raw;
  });
  try {
    await waitFor(safe, 'secureConnect', signal);
  } catch (error) {
    if (!peer || !(error instanceof Error) || !('code' in error)) throw error;
    throw new BadCertificate(
      certificateFault({ code: String(error.code), message: error.message }, new X509Certificate(peer), new Date()),
      error,
    );
  }
  return safe;
}

/** Waits for an event of a socket, and destroys the socket if it fails or the signal aborts. */
async function waitFor(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  // Node ends the process at an `error` event without a handler. `once` handles only the first error, and undici handles none yet.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, all);
}
