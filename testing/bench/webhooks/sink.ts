import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

// A receiver for http and https. It answers 200 at once, but never answers at /hang. It records when the first webhook of each bill
// arrived, by the monotonic clock of the machine, which all processes share.
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

const handle: RequestListener = (request, response) => {
  if (request.method === 'GET') report(response, request.url === '/arrivals');
  else receive(request, response).catch(() => response.destroy());
};
const count = () => {
  connections += 1;
};
const { PORT = '0', SECURE_PORT = '0', CERTIFICATE, KEY } = process.env;
const servers = [
  createServer(handle).on('connection', count).listen(Number(PORT), '127.0.0.1'),
  createSecureServer({ cert: CERTIFICATE, key: KEY }, handle).on('secureConnection', count).listen(Number(SECURE_PORT), '127.0.0.1'),
];
await Promise.all(servers.map((server) => once(server, 'listening')));
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
