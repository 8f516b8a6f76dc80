import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

// A receiver that only answers: 200 at once, or never below /hang. It records when each bill's webhook arrived, on the machine's
// monotonic clock, which all processes share.
const arrivals = new Map<string, number>();
let connections = 0;
let calls = 0;

export type SinkReport = { readonly connections: number; readonly calls: number; readonly arrivals: [billId: string, ms: number][] };

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  calls += 1;
  if (request.url === '/hang') return;
  response.writeHead(200, { 'content-length': 2 }).end('ok');
  const id = String(JSON.parse(Buffer.concat(chunks).toString()).bill.id);
  if (!arrivals.has(id)) arrivals.set(id, at);
}

function report(response: ServerResponse, whole: boolean): void {
  const said: SinkReport = { connections, calls, arrivals: whole ? [...arrivals] : [] };
  response.end(JSON.stringify(said));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') report(response, request.url === '/arrivals');
  else receive(request, response).catch(() => response.destroy());
});
server.on('connection', () => {
  connections += 1;
});
server.listen(Number(process.env.PORT ?? '0'), '127.0.0.1');
await once(server, 'listening');
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
