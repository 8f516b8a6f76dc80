import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { numberFrom, type ReceiverReport, receiverOrderSchema } from './messages';

// The receiver of all merchants. Merchant n has the path /n. It verifies each signature as Standard Webhooks 1.0.0 defines it,
// independently of Bili's code, acknowledges with 200, and records when each paid bill's webhook arrived.

const bodySchema = z.object({ bill: z.object({ id: z.string(), status: z.literal('FULLY_PAID') }) });

let keys: readonly Buffer[] = [];
let fresh: ReceiverReport['arrivals'] = [];
let wrong = 0;
let repeated = 0;
const seen = new Set<string>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request, body)) {
    wrong += 1;
    response.writeHead(401).end();
    return;
  }
  const { bill } = bodySchema.parse(JSON.parse(body.toString()));
  response.writeHead(200, { 'content-length': 0 }).end();
  if (seen.has(bill.id)) repeated += 1;
  else fresh.push([bill.id, at]);
  seen.add(bill.id);
}

function isSigned({ url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const key = keys[Number(url.slice(1))];
  if (!key) return false;
  const signed = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body).digest();
  const given = Buffer.from(String(headers['webhook-signature']).replace('v1,', ''), 'base64');
  return given.length === signed.length && timingSafeEqual(given, signed);
}

function report(): ReceiverReport {
  const arrivals = fresh;
  fresh = [];
  return { arrivals, wrong, repeated };
}

process.on('message', (message) => {
  const order = receiverOrderSchema.parse(message);
  if ('secrets' in order) keys = order.secrets.map((secret) => Buffer.from(secret.replace('whsec_', ''), 'base64'));
  process.send?.('report' in order ? report() : 'done');
});
const server = createServer((request, response) => {
  receive(request, response).catch(() => {
    wrong += 1;
    response.destroy();
  });
});
server.listen(numberFrom('PORT'), '127.0.0.1');
await once(server, 'listening');
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
