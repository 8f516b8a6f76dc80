import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy';

let proxy: TcpProxy | undefined;
afterEach(() => proxy?.close());

async function proxied(): Promise<{ proxy: TcpProxy; connectThrough: () => Promise<pg.Client> }> {
  const url = inject('ownerUrl');
  const started = await startTcpProxy(Number(new URL(url).port));
  proxy = started;
  return {
    proxy: started,
    async connectThrough() {
      const target = new URL(started.throughProxy(inject('superuserUrl')));
      const client = new pg.Client({ connectionString: target.href, connectionTimeoutMillis: 300 });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
  };
}

test('connections pass bytes, also after a reset', async () => {
  const { proxy, connectThrough } = await proxied();
  const client = await connectThrough();
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  const asked = client.query('SELECT pg_sleep(5)');
  proxy.reset();
  await expect(asked).rejects.toThrow(/ECONNRESET|terminated/);
  await (await connectThrough()).end();
});

test('a black hole stops existing connections but not new ones', async () => {
  const { proxy, connectThrough } = await proxied();
  const client = await connectThrough();
  proxy.blackHole();
  let answered = false;
  const asked = client.query('SELECT 1').finally(() => {
    answered = true;
  });
  const other = await connectThrough();
  await other.query('SELECT 1');
  expect(answered).toBe(false);
  expect(proxy.passing()).toBe(1);
  await other.end();
  proxy.reset();
  await expect(asked).rejects.toThrow();
});

test('new connections are refused or left hanging', async () => {
  const { proxy, connectThrough } = await proxied();
  await proxy.accept('refuse');
  await expect(connectThrough()).rejects.toThrow('ECONNREFUSED');
  await proxy.accept('hang');
  await expect(connectThrough()).rejects.toThrow('timeout');
  await proxy.accept('pass');
  await (await connectThrough()).end();
});

test('held bytes of the target arrive after the release', async () => {
  const { proxy, connectThrough } = await proxied();
  const client = await connectThrough();
  proxy.hold();
  let answered = false;
  const asked = client.query('SELECT 2 AS two').finally(() => {
    answered = true;
  });
  const other = await connectThrough();
  await expect
    .poll(async () => (await other.query("SELECT count(*)::int AS asked FROM pg_stat_activity WHERE query = 'SELECT 2 AS two'")).rows)
    .toEqual([{ asked: 1 }]);
  expect(answered).toBe(false);
  proxy.flow();
  expect((await asked).rows).toEqual([{ two: 2 }]);
  await client.end();
  await other.end();
});
