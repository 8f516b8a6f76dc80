import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { z } from 'zod';
import { signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { freePorts } from '@/testing/free-ports';
import { type Product, startProduct } from '@/testing/product';
import { makeProject, missingProgram, prepareSample, readSamples, type Sample, sampleEnv } from './samples';

// @module-tag full
const all = await readSamples();
const generated = all.filter(({ isGenerated }) => isGenerated);
const samples = all.filter(({ isGenerated }) => !isGenerated);
const isReceiver = ({ code }: Sample) => /webhook/i.test(code);
const isRead = ({ code }: Sample) => code.includes('BILL_ID');
const receivers = samples.filter(isReceiver);
const isPush = ({ code }: Sample) => code.includes('/push');
const pushes = samples.filter(isPush);
const readers = samples.filter((sample) => isRead(sample) && !isReceiver(sample) && !isPush(sample));
// A pattern for scanners calls nothing. It has a test of its own.
const others = samples.filter((sample) => !isRead(sample) && !isReceiver(sample) && !sample.code.includes('crc32'));
const nameOf = (some: readonly Sample[]) => some.map((sample) => [`${sample.name}: ${sample.code.split('\n')[0]}`, sample] as const);
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

const madeKey = z.object({ apiKey: z.string(), apiSecret: z.string() });

let product: Product;
let project: string;
/** A key with every scope. */
let key: z.output<typeof madeKey>;
beforeAll(async () => {
  [product, project] = await Promise.all([startProduct(), makeProject()]);
  const of = ['--merchant', 'duka-la-mfano', '--environment', 'sandbox'];
  key = madeKey.parse(await product.bili(['key', 'create', ...of, '--scopes', KEY_SCOPES.join(',')]));
});
afterAll(async () => {
  await product?.dispose();
  if (project) await rm(project, { recursive: true, force: true });
});

function envOf(more: Readonly<Record<string, string>> = {}) {
  return sampleEnv({ BILI_URL: product.sandboxUrl, BILI_KEY_ID: key.apiKey, BILI_SECRET: key.apiSecret, ...more });
}

async function run(sample: Sample, more?: Readonly<Record<string, string>>): Promise<string> {
  const [command = '', ...args] = prepareSample(project, sample);
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: project, env: envOf(more), timeout: 25_000 });
  expect(stderr).toBe('');
  return stdout;
}

function skipIfMissing(sample: Sample, { skip }: TestContext): void {
  const reason = missingProgram(sample);
  if (reason !== null) skip(reason);
}

interface CreatedBill {
  readonly id: string;
  status(): Promise<unknown>;
}

/** Creates a bill, or returns the one that was created with this reference before. If `mobile` is null, no prompt is sent. */
async function createdBill(reference = 'ORDER-1', mobile: string | null = '0712345001'): Promise<CreatedBill> {
  const { apiKey, apiSecret } = product.demo.sandbox;
  const headers = { authorization: `ApiKey ${apiKey}:${apiSecret}`, 'idempotency-key': reference, 'content-type': 'application/json' };
  const body = JSON.stringify({ amount: 5000, reference, mobile });
  const { id } = await (await fetch(`${product.sandboxUrl}/api/v3/bills/create`, { method: 'POST', headers, body })).json();
  return { id, status: async () => (await (await fetch(`${product.sandboxUrl}/api/v3/bills/${id}`, { headers })).json()).status };
}

test('the documentation has samples in five languages for creating, reading and receiving', () => {
  const languages = (some: readonly Sample[]) => [...new Set(some.map(({ language }) => language))].sort();
  const programming = ['java', 'js', 'php', 'python'];
  expect(languages(readers)).toEqual([...programming, 'sh']);
  expect(languages(others)).toEqual([...programming, 'sh']);
  expect(languages(receivers)).toEqual(programming);
});

test.for(nameOf(others))('creates, lists or changes: %s', async ([, sample], context) => {
  skipIfMissing(sample, context);
  const { id } = await createdBill();
  const printed = await run(sample);
  if (sample.code.includes('ORDER-1') && sample.code.includes('Idempotency-Key')) expect(printed).toContain(id);
  if (/wait_?until_?paid/i.test(sample.code)) expect(printed).toMatch(new RegExp(`${id}[\\s\\S]*FULLY_PAID 5000\\.00`));
  expect(printed).toMatch(sample.code.includes('/sandbox/time') ? /^{"delayPercent":10,"moved":{/ : /[\da-f]{8}-[\da-f]{4}-7/);
});

// The sample of an operation may contain the id of a bill that this test has not created. Then "not found" is the right answer.
test.for(generated.map((sample) => [`${sample.name}: ${/\S+\/api\/v3\/\S+/.exec(sample.code)}`, sample] as const))(
  'is answered: %s',
  async ([, sample], context) => {
    skipIfMissing(sample, context);
    const values: Readonly<Record<string, string>> = {
      'http://localhost:3001': product.sandboxUrl,
      YOUR_KEY_ID: key.apiKey,
      YOUR_SECRET: key.apiSecret,
    };
    const code = sample.code.replace(/http:\/\/localhost:3001|YOUR_KEY_ID|YOUR_SECRET/g, (name) => values[name] ?? name);
    const { error = null } = JSON.parse(await run({ ...sample, code }));
    expect(error ?? 'Bill with id x not found').toMatch(/^Bill with id \S+ not found$/);
  },
);

test.for(nameOf(readers))('reads: %s', async ([, sample], context) => {
  skipIfMissing(sample, context);
  const bill = await createdBill();
  await expect.poll(bill.status).toBe('FULLY_PAID');
  expect(await run(sample, { BILL_ID: bill.id })).toContain('FULLY_PAID');
});

test.each(nameOf(pushes))('sends a payment request: %s', async (_, sample) => {
  const bill = await createdBill('ORDER-UNPAID', null);
  expect(await run(sample, { BILL_ID: bill.id })).toContain('"state":"PENDING"');
  await expect.poll(bill.status).toBe('FULLY_PAID');
});

test.for(nameOf(receivers))('receives webhooks: %s', { timeout: 60_000 }, async ([, sample], context) => {
  skipIfMissing(sample, context);
  const [port = 0] = await freePorts(1);
  const [command = '', ...args] = prepareSample(project, sample, port);
  const child = spawn(command, args, { cwd: project, env: envOf({ BILI_WEBHOOK_SECRET: SECRET, PORT: String(port) }) });
  try {
    const printed = outputOf(child);
    const url = `http://127.0.0.1:${port}/bili`;
    // Java compiles the sample first.
    await expect.poll(() => isListening(url)).toBe(true);
    const id = crypto.randomUUID();
    const body = `{"bill":{"id":"${id}","mobile":null,"amount":5000.0,"status":"FULLY_PAID","reference":"Agizo ñ"}}`;
    const send = async (secret: string, at: Date, sent = body) => {
      const headers = signatureHeaders([secret], { id: `msg_${id}`, at, body: Buffer.from(body) });
      return (await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: sent })).status;
    };
    const now = new Date();
    expect(await send(SECRET, now)).toBe(200);
    await expect.poll(printed).toContain(id);
    expect(await send(SECRET, now, body.replace('5000', '9000'))).toBe(401);
    expect(await send(`whsec_${Buffer.alloc(32, 6).toString('base64')}`, now)).toBe(401);
    expect(await send(SECRET, new Date(now.getTime() - 400_000))).toBe(401);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  } finally {
    child.kill();
    await once(child, 'close');
  }
});

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += chunk));
  return () => text;
}

async function isListening(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  );
}
