import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** When to cut a connection: when a client has sent the text `after` on this connection, and then sends `text` for the first time. */
export interface Cut {
  readonly after: string;
  readonly text: string;
  /** `asked`: the server never receives `text`. `done`: the server executes `text`, but the client gets no answer. */
  readonly when: 'asked' | 'done';
}

export interface LossyWire {
  /** The URL of the database through this proxy. */
  url(): string;
  /** Cuts the next connection that fulfils the condition `cut`. Resolves when that connection is cut. */
  cutAt(cut: Cut): Promise<void>;
}

/** A proxy between a process and its database that can lose a request or its answer. */
export function testWire(databaseUrl: () => string): LossyWire {
  let port = 0;
  let armed: (Cut & { done(): void }) | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(databaseUrl()).port), new URL(databaseUrl()).hostname);
    let cutting = false;
    let begun = false;
    const cut = (done: () => void) => {
      client.destroy();
      upstream.destroy();
      done();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // The tests kill the process or disconnect it from the database, so errors of the sockets are expected.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      begun ||= armed !== null && chunk.includes(armed.after);
      if (armed === null || !begun || !chunk.includes(armed.text)) return void upstream.write(chunk);
      const { when, done } = armed;
      armed = null;
      if (when === 'asked') return cut(done);
      cutting = true;
      upstream.once('data', () => cut(done));
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => void (cutting || client.write(chunk)));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address === 'object') port = address.port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url() {
      const url = new URL(databaseUrl());
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    cutAt: (cut) =>
      new Promise((resolve) => {
        armed = { ...cut, done: resolve };
      }),
  };
}
