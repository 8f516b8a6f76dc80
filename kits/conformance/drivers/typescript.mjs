// Calls the TypeScript package for the conformance tests. Its argument is the address of the built package.
import { createInterface } from 'node:readline';

const sdk = await import(process.argv[2]);
let bili;

const commands = {
  configure(options) {
    bili = new sdk.Bili(options);
    return null;
  },
  createBill: ({ idempotencyKey, ...bill }) => bili.createBill(bill, idempotencyKey === undefined ? {} : { idempotencyKey }),
  getBill: ({ id }) => bili.getBill(id),
  waitUntilPaid: ({ id, ...options }) => bili.waitUntilPaid(id, options),
  async events({ after = null, limit = 100 }) {
    const events = [];
    for await (const event of bili.events({ after, limit })) events.push(event);
    return { events, cursor: events.at(-1)?.cursor ?? after };
  },
  readMobile: ({ text }) => ({ mobile: sdk.readMobile(text) }),
  readShillings: ({ text }) => ({ shillings: sdk.readShillings(text) }),
  networks: () => bili.networks(),
  controlSandboxTime: (change) => bili.controlSandboxTime(change),
  createBills: ({ bills, idempotencyKey }) => bili.createBills(bills, idempotencyKey === undefined ? {} : { idempotencyKey }),
  validateBill: (bill) => bili.validateBill(bill),
  listBills: (query) => bili.listBills(query),
  listPayments: ({ id }) => bili.listPayments(id),
  listPaymentRequests: ({ id }) => bili.listPaymentRequests(id),
  listBillEvents: ({ id }) => bili.listBillEvents(id),
  pushBill: ({ id, ...options }) => bili.pushBill(id, options),
  closeBill: ({ id, ...options }) => bili.closeBill(id, options),
  reopenBill: ({ id, ...options }) => bili.reopenBill(id, options),
  refund: ({ id, idempotencyKey, ...refund }) => bili.refund(id, refund, idempotencyKey === undefined ? {} : { idempotencyKey }),
  refunds: ({ id }) => bili.refunds(id),
  askInstruments: ({ id }) => bili.askInstruments(id),
  instruments: ({ id }) => bili.instruments(id),
  recordPayment: ({ id, idempotencyKey, ...payment }) =>
    bili.recordPayment(id, payment, idempotencyKey === undefined ? {} : { idempotencyKey }),
  post: ({ path, body }) => bili.request({ method: 'POST', path, body }),
  async verifyWebhook({ secrets, body, headers, now }) {
    return new sdk.Webhook(secrets, now === undefined ? {} : { now: () => now * 1000 }).verify(body, headers);
  },
};

function describe(error) {
  const { message } = error;
  if (error instanceof sdk.BiliApiError) {
    const { status, code, requestId, retryable } = error;
    return { type: 'api', message, status, code, requestId, retryable };
  }
  if (error instanceof sdk.BiliConnectionError) return { type: 'connection', message };
  if (error instanceof sdk.BiliNotPaidError) return { type: 'not_paid', message, reason: error.reason, bill: error.bill };
  if (error instanceof sdk.BiliWebhookError) return { type: 'webhook', message, reason: error.reason };
  if (error instanceof sdk.BiliError) return { type: 'argument', message };
  return { type: 'other', message: String(error?.stack) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { command, args } = JSON.parse(line);
  let answer;
  try {
    answer = { result: await commands[command](args) };
  } catch (error) {
    answer = { error: describe(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
