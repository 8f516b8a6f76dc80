import { once } from 'node:events';
import { connect } from 'node:net';
import pino from 'pino';
import { expect, test } from 'vitest';
import { testListener } from '@/testing/fakes/listener';
import { makeMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly path?: string;
  readonly status?: number;
}

const runtime = testRuntime();
const lines: Line[] = [];
const log = pino(
  { level: 'info', formatters: { level: (label) => ({ level: label }) } },
  { write: (line: string) => void lines.push(JSON.parse(line)) },
);
const origin = testListener((): TestRuntime => ({ ...runtime(), log }));

/** Sends the start of a request with a body, and resets the connection as soon as the server reads the rest. */
async function breakOff(head: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(origin());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`${[...head, `Host: ${hostname}:${port}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{"amount":`);
  await once(socket, 'data');
  socket.resetAndDestroy();
}

test.each(['Content-Length: 500', 'Transfer-Encoding: chunked'])(
  'a client that disconnects during its body (%s) causes no error in the log',
  async (length) => {
    const { id, secret } = await (await makeMerchant(runtime())).key('sandbox');
    for (const path of ['/api/v3/bills/create', '/callbacks/mpesa/token', '/pay']) {
      await breakOff([`POST ${path} HTTP/1.1`, length, `Authorization: ApiKey ${id}:${secret}`, 'Content-Type: application/json']);
    }
    await expect
      .poll(() => lines.filter(({ path, status }) => path === '/api/v3/bills/create' && status === 400).length)
      .toBeGreaterThan(0);
    expect(await (await fetch(`${origin()}/readyz`)).json()).toEqual({ status: 'ready' });
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
    lines.splice(0);
  },
);
