import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to new connections: they pass to the target, are refused, or are accepted and never answered. */
export type NewConnections = 'pass' | 'refuse' | 'hang';

export interface TcpProxy {
  readonly port: number;
  /** Returns a database URL that leads through the proxy. */
  throughProxy(databaseUrl: string): string;
  /** Changes what happens to new connections. */
  accept(mode: NewConnections): Promise<void>;
  /** Sends new connections to another port of this machine. */
  pointAt(port: number): void;
  /** Stops all bytes on existing connections. The connections stay open at both ends, as after the loss of a machine. */
  blackHole(): void;
  /** Holds back what the target sends from now on. */
  hold(): void;
  /** Passes on everything that `hold` has held back, and holds back nothing more. */
  flow(): void;
  /** Resets existing connections at both ends, including black-holed ones. */
  reset(): void;
  /** Returns the number of connections that pass bytes. */
  passing(): number;
  close(): void;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket | null;
  silent: boolean;
}

/** Starts a TCP proxy on a free loopback port. @param targetPort a port of this machine. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let target = targetPort;
  let mode: NewConnections = 'pass';
  const onConnection = (client: Socket) => {
    const upstream = mode === 'pass' ? connect(target, '127.0.0.1') : null;
    const pair: Pair = { client, upstream, silent: upstream === null };
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
  };
  let server: Server | null = await listen(0, onConnection);
  const port = portOf(server);

  function reset(): void {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy();
      upstream?.resetAndDestroy();
    }
    pairs.clear();
  }

  function stopListening(): void {
    const listening = server;
    server = null;
    // This closes the port at once. The 'close' event is not awaited, because it occurs only after all connections have ended.
    listening?.close();
  }

  return {
    port,
    throughProxy(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async accept(wanted) {
      mode = wanted;
      if (wanted === 'refuse') stopListening();
      else server ??= await listen(port, onConnection);
    },
    pointAt(wanted) {
      target = wanted;
    },
    blackHole() {
      for (const pair of pairs) pair.silent = true;
    },
    hold() {
      for (const { upstream } of pairs) upstream?.pause();
    },
    flow() {
      for (const { upstream } of pairs) upstream?.resume();
    },
    reset,
    passing: () => [...pairs].filter(({ silent }) => !silent).length,
    close() {
      reset();
      stopListening();
    },
  };
}

/** Passes bytes in both directions until the pair is black-holed. When one of the two connections closes, the other one is closed too. */
function join(pair: Pair, ended: () => void): void {
  const { client, upstream } = pair;
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ]) {
    from?.setNoDelay(true);
    from?.on('data', (chunk) => void (pair.silent || to?.write(chunk)));
    // Either connection may be reset at any time. The error needs no handling, because a 'close' event follows.
    from?.on('error', () => undefined);
    from?.on('close', () => {
      // If the client of a black-holed pair has disconnected, the server must not notice it.
      if (pair.silent && from === client && to) return;
      to?.destroy();
      ended();
    });
  }
}

async function listen(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen on a port');
  return address.port;
}
