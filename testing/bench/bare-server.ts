import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import { INSERT_BILL, SELECT_BILL } from './bare-statements';

// The baseline of the benchmark: node:http and pg with statements like the product's. It validates nothing.
const { DATABASE_URL = '', DATABASE_POOL_SIZE = '10', BENCH_MERCHANT = '', BENCH_BASE_URL = '', PORT = '0' } = process.env;
const ENVIRONMENT = 'sandbox';
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

interface Asked {
  readonly amount: number;
  readonly reference: string;
  readonly mobile?: string | null;
}

async function create({ amount, reference, mobile = null }: Asked): Promise<string> {
  const createdAt = new Date();
  const id = newId({ clock: () => createdAt, random });
  const senti = amount * 100;
  const push = mobile === null ? [null, null, null] : [newId({ clock: () => createdAt, random }), senti, newPaymentReference(random)];
  await pool.query({
    ...INSERT_BILL,
    values: [
      id,
      BENCH_MERCHANT,
      ENVIRONMENT,
      senti,
      reference,
      null,
      mobile,
      createdAt,
      ...push,
      null,
      null,
      null,
      null,
      'key:bench',
      null,
    ],
  });
  return JSON.stringify({
    id,
    mobile,
    amount,
    status: 'NOT_PAID',
    reference,
    webPayUrl: `${BENCH_BASE_URL}/pay?bill=${id}`,
    date: createdAt.getTime(),
  });
}

async function get(id: string): Promise<string> {
  const { rows } = await pool.query({ ...SELECT_BILL, values: [id, BENCH_MERCHANT, ENVIRONMENT] });
  const [bill] = rows;
  const [amount, paidAmount] = [Number(bill.amount) / 100, Number(bill.paidAmount) / 100];
  return JSON.stringify({
    id: bill.id,
    mobile: bill.mobile,
    amount,
    status: bill.status,
    reference: bill.reference,
    webPayUrl: `${BENCH_BASE_URL}/pay?bill=${bill.id}`,
    date: bill.createdAt.getTime(),
    paidAmount,
    remainingAmount: amount - paidAmount,
    paidAt: bill.paidAt?.getTime() ?? null,
    closedAt: bill.closedAt?.getTime() ?? null,
    reversedAmount: Number(bill.reversedAmount) / 100,
    lastAttempt: bill.attemptState && { state: bill.attemptState, reason: bill.attemptReason, at: bill.attemptAt.getTime() },
  });
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer(async (request, response) => {
  try {
    const json = request.method === 'POST' ? await create(await read(request)) : await get(request.url?.split('/').at(-1) ?? '');
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(json) }).end(json);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(Number(PORT), '127.0.0.1');
await once(server, 'listening');
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
