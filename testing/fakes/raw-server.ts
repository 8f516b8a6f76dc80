import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** TCP servers that break the rules of HTTP. Each server is closed after its test. */
export interface RawServers {
  /** Starts a server. @param behave handles each connection. @returns its host and port. */
  serve(behave: (socket: Socket) => void): Promise<string>;
}

/** Provides raw servers for a test file. */
export function rawServers(): RawServers {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });
  return {
    async serve(behave) {
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => undefined));
        behave(socket);
      });
      servers.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    },
  };
}

/** Writes a text every few milliseconds until the connection ends. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}
