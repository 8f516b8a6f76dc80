import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { makeDatabaseFolder } from '@/testing/database-folder';
import { startReceiver } from '@/testing/fakes/start-receiver';
import { freePorts } from '@/testing/free-ports';
import { runProgram, startProgram } from '@/testing/process';
import { processesBelow } from '@/testing/process-tree';
import { startProduct } from '@/testing/product';
import { setHook } from './people';
import { expect, merchantServer, test } from './product';

const run = promisify(execFile);
const MEMBERS = ['amount', 'date', 'id', 'mobile', 'reference', 'status', 'webPayUrl'];

test('the printed curl command creates a bill, which is paid and announced by webhook', async ({ product }) => {
  const receiver = await startReceiver();
  const set = await setHook(product, { slug: 'duka-la-mfano' }, receiver.url());
  expect(set).toMatchObject({ secret: product.demo.sandbox.webhookSecret });

  const curl = /^curl .*$/m.exec(product.running().output())?.[0] ?? '';
  const { stdout } = await run('sh', ['-c', `${curl} -w '\\n%{http_code}'`]);
  const [body = '', status] = stdout.split('\n');
  const bill = JSON.parse(body);
  expect(status).toBe('200');
  expect(Object.keys(bill).sort()).toEqual(MEMBERS);

  await expect.poll(async () => (await merchantServer(product).get(bill.id)).status).toBe('FULLY_PAID');
  const announced = () => receiver.received.find((one) => one.body.includes(bill.id));
  await expect.poll(() => announced()?.body).toBeDefined();
  const { headers = {}, body: announcement = '' } = announced() ?? {};
  expect(new Webhook(product.demo.sandbox.webhookSecret).verify(announcement, headers)).toMatchObject({
    bill: { id: bill.id, status: 'FULLY_PAID' },
  });
  await receiver.stop();
});

test('only the owner can read the file with the demo credentials', { tag: '@full' }, async ({ product }) => {
  for (const name of ['demo-credentials.json', 'secrets.json']) {
    expect((await stat(join(product.dataDir, name))).mode & 0o777, name).toBe(0o600);
  }
  expect(product.demo).toEqual({
    sandbox: {
      baseUrl: product.sandboxUrl,
      apiKey: expect.any(String),
      apiSecret: expect.any(String),
      webhookSecret: expect.stringMatching(/^whsec_/),
    },
    dashboard: { url: product.liveUrl, email: expect.any(String), password: expect.any(String) },
  });
});

test('no log line contains a secret', { tag: '@full' }, async ({ product }) => {
  await merchantServer(product).create({ amount: 1, reference: 'LOGGED', mobile: '0712345001' });
  const lines = product
    .running()
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(0);
  const { apiSecret, webhookSecret } = product.demo.sandbox;
  for (const secret of [apiSecret, webhookSecret, product.demo.dashboard.password]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});

test.describe('starting and stopping', { tag: '@full' }, () => {
  test('SIGTERM finishes running requests and stops everything, and the next start has all data', async () => {
    const product = await startProduct();
    const server = merchantServer(product);
    const created = await server.create({ amount: 5000, reference: 'BEFORE' });
    const family = processesBelow(product.running().child.pid ?? 0);
    expect(family.length).toBeGreaterThanOrEqual(3);

    // Starts a request whose body is still being sent when SIGTERM arrives.
    const { apiKey, apiSecret } = product.demo.sandbox;
    const slow = request(`${product.sandboxUrl}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${apiKey}:${apiSecret}`, 'transfer-encoding': 'chunked' },
    });
    const answered = once(slow, 'response');
    slow.write('{"amount":1,');
    await expect.poll(() => server.get(created.id)).toMatchObject({ status: 'NOT_PAID' });
    product.running().child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${product.sandboxUrl}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    slow.end('"reference":"DURING"}');
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    response.resume();

    expect(await product.running().exited).toBe(0);
    expect(family.filter(isAlive)).toEqual([]);

    await product.restart();
    expect(await server.get(created.id)).toMatchObject({ id: created.id });
    await product.dispose();
  });

  test('a second start in the same folder or on a used port is explained and exits with 1', async ({ product }) => {
    const [port = 0, other = 0] = await freePorts(2);
    const same = await runProgram(['start'], { ...product.env, PORT: String(port), SANDBOX_PORT: String(other) });
    expect(same.code).toBe(1);
    expect(same.stderr).toContain(`Bili already runs with DATA_DIR ${product.dataDir}`);

    const taken = await runProgram(['start'], { ...product.env, DATA_DIR: `${product.dataDir}-2` });
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain(`Port ${product.env.PORT} is in use: stop what uses it, or set PORT and SANDBOX_PORT to free ports.`);
  });

  test('two instances can run at the same time', async ({ product }) => {
    const second = await startProduct();
    const [mine, theirs] = await Promise.all([
      merchantServer(product).create({ amount: 1, reference: 'MINE' }),
      merchantServer(second).create({ amount: 1, reference: 'THEIRS' }),
    ]);
    await expect(merchantServer(second).get(mine.id)).rejects.toThrow();
    await expect(merchantServer(product).get(theirs.id)).rejects.toThrow();
    await second.dispose();
  });

  test('if the supervisor is killed, only the database keeps running, and the next start takes it over', async () => {
    const product = await startProduct();
    const { id } = await merchantServer(product).create({ amount: 1, reference: 'KEPT' });
    const family = processesBelow(product.running().child.pid ?? 0);
    await product.running().kill('SIGKILL');
    await product.restart();
    expect(await merchantServer(product).get(id)).toMatchObject({ id });
    expect(family.filter(isAlive)).toEqual([]);
    await product.dispose();
  });

  test('the embedded database, web and worker are restarted when they are killed', async () => {
    const product = await startProduct();
    const server = merchantServer(product);
    for (const name of ['postgres', 'worker', 'web']) {
      const victim = processesBelow(product.running().child.pid ?? 0).find(({ command }) =>
        command.includes(name === 'postgres' ? 'postgres -D' : `bili.mjs ${name}`),
      );
      if (!victim) throw new Error(`no ${name} runs`);
      process.kill(victim.pid, 'SIGKILL');
      const reference = `AFTER-${name}`;
      const bill = await expect
        .poll(() => server.create({ amount: 1, reference, mobile: '0712345001' }).catch(() => null))
        .not.toBeNull()
        .then(() => server.create({ amount: 1, reference, mobile: '0712345001' }));
      await expect.poll(async () => (await server.get(bill.id)).status, { timeout: 45_000 }).toBe('FULLY_PAID');
    }
    await product.dispose();
  });
});

test('if a process cannot start, the start ends with an explanation', { tag: '@full' }, async () => {
  const [port = 0, sandbox = 0] = await freePorts(2);
  const dataDir = await makeDatabaseFolder('bili-e2e-');
  const started = startProgram(['start'], { PORT: String(port), SANDBOX_PORT: String(sandbox), DATA_DIR: dataDir });
  await started.printed('Starting web and worker');
  const web = () => processesBelow(started.child.pid ?? 0).find(({ command }) => command.includes('bili.mjs web'));
  await expect.poll(web, { intervals: [5] }).toBeDefined();
  process.kill(web()?.pid ?? 0, 'SIGKILL');
  expect(await started.exited).toBe(1);
  expect(started.output()).toContain('The web process could not start.');
  await rm(dataDir, { recursive: true });
});

test('commands that need the embedded database take turns and all succeed', { tag: '@full' }, async () => {
  const stopped = await startProduct();
  await stopped.running().kill('SIGTERM');
  const make = (name: string) =>
    runProgram(['merchant', 'create', '--name', name, '--email', `${name}@example.com`, '--json'], stopped.env);
  const made = await Promise.all(['a', 'b', 'c'].map(make));
  expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }));
  const { stdout } = await runProgram(['merchant', 'list', '--json'], stopped.env);
  // The three and the demo merchant.
  expect(JSON.parse(stdout)).toHaveLength(4);
  await rm(stopped.dataDir, { recursive: true });
});

test('commands on a copy of the data folder, with or without its claim, change the copy only', { tag: '@full' }, async ({ product }) => {
  const copy = `${product.dataDir}-copy`;
  const restart = 'the embedded PostgreSQL died';
  for (const kept of [true, false]) {
    await cp(product.dataDir, copy, { recursive: true, preserveTimestamps: true });
    if (!kept) await rm(join(copy, 'instance.json'));
    const made = await runProgram(['merchant', 'create', '--name', 'Copied', '--email', 'copied@example.com'], {
      ...product.env,
      DATA_DIR: copy,
    });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.stringify(await product.bili(['merchant', 'list']))).not.toContain('Copied');
    await rm(copy, { recursive: true });
  }
  expect(product.running().output()).not.toContain(restart);
});

test('an unreachable database is explained', { tag: '@full' }, async () => {
  const [port = 0, sandbox = 0, nobody = 0] = await freePorts(3);
  const started = startProgram(['start'], {
    PORT: String(port),
    SANDBOX_PORT: String(sandbox),
    DATABASE_URL: `postgresql://bili:x@127.0.0.1:${nobody}/bili`,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  expect(await started.exited).toBe(1);
  expect(started.output()).toContain('DATABASE_URL: the database cannot be reached');
  expect(started.output()).not.toMatch(/\n\s+at /);
});

function isAlive({ pid }: { pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
