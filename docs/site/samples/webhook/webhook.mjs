// webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

function isFromBili(secret, headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  if (!id || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${signature}`);
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts); // the raw bytes
  if (!isFromBili(process.env.BILI_WEBHOOK_SECRET, request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const { bill } = JSON.parse(body);
  // Store the webhook-id and bill.id here. Your shop reads the bill afterwards.
  console.log('Webhook', request.headers['webhook-id'], 'bill', bill.id, 'is', bill.status);
  response.writeHead(200).end();
});
server.listen(process.env.PORT ?? 8080, '127.0.0.1');
