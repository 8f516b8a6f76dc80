// webhook.mjs
import { createServer } from 'node:http';
import { BiliWebhookError, Webhook } from '@bili/sdk';

const webhook = new Webhook(process.env.BILI_WEBHOOK_SECRET);

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    const event = await webhook.verify(Buffer.concat(parts), request.headers);
    // Store event.id and the bill's id here. Your shop reads the bill afterwards.
    console.log('Webhook', event.id, 'bill', event.bill.id, 'is', event.bill.status);
    response.writeHead(200).end();
  } catch (error) {
    if (!(error instanceof BiliWebhookError)) throw error;
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 8080, '127.0.0.1');
