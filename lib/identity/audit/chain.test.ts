import { beforeEach, describe, expect, test } from 'vitest';
import { operatorActor, userActor } from '@/lib/platform/core/actor';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type ChainedRow, formatHead, hashRow, initialHash, OPERATOR_CHAIN, parseHead, serialise } from './chain-rules';
import { recordEntry } from './record-entry';
import { sealEntries } from './seal-entries';
import { verifyChain } from './verify-chain';

const runtime = testRuntime();

const ROW: ChainedRow = {
  id: '01a1b2c3-0000-7000-8000-000000000001',
  merchantId: '01a1b2c3-0000-7000-8000-00000000000f',
  environment: 'sandbox',
  actor: 'user:asha@example.com',
  action: 'key.created',
  subject: 'pk_1',
  address: null,
  data: '{"label": "Dükä \\"1\\""}',
  at: new Date('2026-11-21T09:00:00.123Z'),
};

describe('stays as it is, because all existing chains depend on it:', () => {
  test('the canonical form', () => {
    expect(serialise(7n, ROW)).toBe(
      '["7","01a1b2c3-0000-7000-8000-000000000001","01a1b2c3-0000-7000-8000-00000000000f","sandbox","user:asha@example.com","key.created","pk_1",null,"{\\"label\\": \\"Dükä \\\\\\"1\\\\\\"\\"}","2026-11-21T09:00:00.123Z"]',
    );
  });

  test('the hashes', () => {
    expect(initialHash(OPERATOR_CHAIN).toString('hex')).toMatchInlineSnapshot(
      `"5379dc2f8c57b4bbdb215e2e651f014830f7b5895bf3972e1b41d975d2090a54"`,
    );
    expect(hashRow(initialHash(OPERATOR_CHAIN), 7n, ROW).toString('hex')).toMatchInlineSnapshot(
      `"b55f6f2c77f281ca94dfb64ba364cbd3ddad85928f7e3b6f900659d4dcdfb80e"`,
    );
  });
});

let shop: TestMerchant;
/** Changes audit entries. A trigger forbids this, so this function disables the trigger, as the owner of the database could. */
async function tamper(text: string, ...values: readonly unknown[]): Promise<void> {
  const { owner } = runtime();
  await owner.query({ text: 'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_kept' });
  await owner.query({ text }, values);
  await owner.query({ text: 'ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_kept' });
}
async function write(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const entry = {
      ...shop.scope('sandbox'),
      actor: userActor({ email: 'x@example.com' }, '10.0.0.1'),
      action: 'key.created',
      subject: `key ${number}`,
    };
    await recordEntry(runtime(), { ...entry, data: { amount: '12.50', nested: { b: 1, a: [1, 2] } } });
  }
}
const chain = () => shop.merchant.id;
const verify = (options: object = {}) => verifyChain(runtime(), { chain: chain(), ...options });
async function sealAll(): Promise<void> {
  while (await sealEntries(runtime()));
}
beforeEach(async () => {
  shop = await makeMerchant(runtime());
  await write(6);
  await sealAll();
});

test('rows are sealed in their order; later rows are counted as unsealed until they are sealed', async () => {
  expect(await verify()).toMatchObject({ rows: 7, broken: null, head: { number: 7n }, tail: { count: 0, oldest: null } });
  await write(2);
  expect(await verify()).toMatchObject({ rows: 7, broken: null, tail: { count: 2, oldest: expect.any(Date) } });
  await sealAll();
  expect(await verify()).toMatchObject({ rows: 9, broken: null, head: { number: 9n }, tail: { count: 0 } });
  expect(await verifyChain(runtime(), { chain: OPERATOR_CHAIN })).toMatchObject({ broken: null });
});

test('a row that commits late gets a later number', async () => {
  const { db } = runtime();
  const late = db.transaction(async (tx) => {
    await recordEntry(runtime(), { ...shop.scope('live'), actor: operatorActor('x'), action: 'late', subject: 'late' }, tx);
    await write(2);
    await sealAll();
  });
  await late;
  await sealAll();
  const rows = await db.query<{ action: string }>({ text: 'SELECT action FROM audit_entry WHERE merchant_id = $1 ORDER BY chain_number' }, [
    chain(),
  ]);
  expect(rows.at(-1)).toEqual({ action: 'late' });
  expect(await verify()).toMatchObject({ rows: 10, broken: null });
});

test('concurrent sealing makes one chain', async () => {
  await write(30);
  await Promise.all(Array.from({ length: 4 }, () => sealEntries(runtime())));
  await sealAll();
  expect(await verify()).toMatchObject({ rows: 37, broken: null });
});

test('sealed rows cannot be changed or deleted, and unsealed rows cannot be changed', async () => {
  const { db } = runtime();
  for (const text of [
    'UPDATE audit_entry SET actor = $2 WHERE merchant_id = $1 AND chain_number = 2',
    'UPDATE audit_entry SET chain_number = NULL, chain_hash = NULL WHERE merchant_id = $1 AND $2 <> $1::text',
  ])
    await expect(db.query({ text }, [chain(), 'nobody'])).rejects.toThrow('never changed');
  await expect(db.query({ text: 'DELETE FROM audit_entry WHERE merchant_id = $1' }, [chain()])).rejects.toThrow('never changed or deleted');
  await write(1);
  await expect(
    db.query({ text: "UPDATE audit_entry SET actor = 'nobody' WHERE merchant_id = $1 AND chain_number IS NULL" }, [chain()]),
  ).rejects.toThrow('an audit entry is never changed');
});

describe('tampering by the owner of the database is detected', () => {
  const at = 'WHERE merchant_id = $1 AND chain_number = ';
  test.each([
    ['an actor', "actor = 'user:somebody@else.example'"],
    ['an action', "action = 'key.revoked'"],
    ['a subject', "subject = ''"],
    ['an address', 'address = NULL'],
    ['an environment', "environment = 'live'"],
    ['data', `data = '{"amount": "12.51"}'`],
    ['the last digit of a number', `data = jsonb_set(data, '{nested,b}', '1.00000000000000000001')`],
    ['an instant, by a millisecond', "at = at + interval '1 ms'"],
    ['a hash', "chain_hash = decode(repeat('00', 32), 'hex')"],
  ])('as a change: %s', async (_what, set) => {
    await tamper(`UPDATE audit_entry SET ${set} ${at} 3`, chain());
    expect((await verify()).broken).toMatchObject({ kind: 'changed', number: 3n });
  });

  test('as a gap: a deleted row in the middle, and the first one', async () => {
    await tamper(`DELETE FROM audit_entry ${at} 4`, chain());
    expect((await verify()).broken).toEqual({ kind: 'missing', from: 4n, to: 4n });
    await tamper(`DELETE FROM audit_entry ${at} 1`, chain());
    expect((await verify()).broken).toEqual({ kind: 'missing', from: 1n, to: 1n });
  });

  test('as a gap: the newest rows, which the head still counts, even after more rows are sealed', async () => {
    await tamper(`DELETE FROM audit_entry WHERE merchant_id = $1 AND chain_number >= 6`, chain());
    expect((await verify()).broken).toEqual({ kind: 'missing', from: 6n, to: 7n });
    await write(1);
    await sealAll();
    expect(await verify()).toMatchObject({ head: { number: 8n }, broken: { kind: 'missing', from: 6n, to: 7n } });
  });

  test('as a change: an inserted row with the later ones renumbered', async () => {
    await tamper('UPDATE audit_entry SET chain_number = chain_number + 100 WHERE merchant_id = $1 AND chain_number > 3', chain());
    await tamper('UPDATE audit_entry SET chain_number = chain_number - 99 WHERE merchant_id = $1 AND chain_number > 3', chain());
    const forged = `INSERT INTO audit_entry (id, merchant_id, actor, action, subject, data, at, chain_number, chain_hash)
                    SELECT gen_random_uuid(), merchant_id, actor, action, subject, data, at, 4, chain_hash FROM audit_entry ${at} 3`;
    await tamper(forged, chain());
    expect((await verify()).broken).toMatchObject({ kind: 'changed', number: 4n });
  });

  test('as inserted: a second row with the same number, and a row after the head, after which nothing is sealed', async () => {
    // Rows with the same number are read in the order of their ids. The id of the inserted row comes after all others, so a sealed row
    // with the same number is read first.
    const id = 'ffffffff-ffff-7fff-8fff-ffffffffffff';
    const copy = (number: number) => `INSERT INTO audit_entry (id, merchant_id, actor, action, subject, data, at, chain_number, chain_hash)
                  SELECT '${id}', merchant_id, actor, action, subject, data, at, ${number}, chain_hash FROM audit_entry ${at} 3`;
    await tamper(copy(8), chain());
    expect((await verify()).broken).toMatchObject({ kind: 'inserted', number: 8n });
    await write(1);
    await sealAll();
    expect(await verify()).toMatchObject({ head: { number: 7n }, tail: { count: 1 } });
    await tamper(`DELETE FROM audit_entry ${at} 8`, chain());
    await tamper('DROP INDEX audit_entry_chain');
    await tamper(copy(3), chain());
    expect((await verify()).broken).toMatchObject({ kind: 'inserted', number: 3n });
    await tamper(
      'DELETE FROM audit_entry a USING audit_entry b WHERE a.merchant_id = b.merchant_id AND a.chain_number = b.chain_number AND a.id > b.id',
    );
    await tamper('CREATE UNIQUE INDEX audit_entry_chain ON audit_entry(merchant_id, chain_number) WHERE merchant_id IS NOT NULL');
  });

  test('as a forged or deleted head', async () => {
    await tamper("UPDATE audit_head SET sealed_at = sealed_at + interval '1 day' WHERE chain = $1", chain());
    expect((await verify()).broken).toEqual({ kind: 'head_forged' });
    await write(1);
    await sealAll();
    expect((await verify()).tail.count).toBe(1);
    await tamper('DELETE FROM audit_head WHERE chain = $1', chain());
    expect((await verify()).broken).toEqual({ kind: 'head_missing', last: 7n });
  });

  test('as a rewritten chain: all hashes match except that of the head', async () => {
    await tamper(`UPDATE audit_entry SET actor = 'nobody' ${at} 5`, chain());
    let before = initialHash(chain());
    const rows = await runtime().db.query<ChainedRow & { n: bigint }>(
      {
        text: `SELECT id::text, merchant_id::text AS "merchantId", environment::text, actor, action, subject, address, data::text, at, chain_number AS n
               FROM audit_entry WHERE merchant_id = $1 ORDER BY chain_number`,
      },
      [chain()],
    );
    for (const row of rows) {
      before = hashRow(before, row.n, row);
      await tamper('UPDATE audit_entry SET chain_hash = $2 WHERE id = $1', row.id, before);
    }
    expect((await verify()).broken).toEqual({ kind: 'rewritten', number: 7n });
  });

  test('as cut, with the help of a head that was stored elsewhere, when an old head and the old rows were restored', async () => {
    const old = (await verify()).head;
    await write(3);
    await sealAll();
    const kept = parseHead(formatHead((await verify()).head ?? expect.fail('a head')));
    if (!kept || !old) expect.fail('two heads');
    expect((await verify({ kept })).broken).toBeNull();
    expect((await verify({ kept: old })).broken).toBeNull();
    expect((await verify({ kept: old, newest: 1n })).broken).toBeNull();
    await tamper('DELETE FROM audit_entry WHERE merchant_id = $1 AND chain_number > 7', chain());
    await tamper(
      'UPDATE audit_head SET number = 7, hash = $2, sealed_at = $3, mac = $4 WHERE chain = $1',
      chain(),
      old.hash,
      old.sealedAt,
      old.mac,
    );
    expect((await verify()).broken).toBeNull();
    expect((await verify({ kept })).broken).toEqual({ kind: 'cut', kept: 10n, last: 7n });
    await write(4);
    await sealAll();
    expect((await verify()).broken).toBeNull();
    expect((await verify({ kept })).broken).toEqual({ kind: 'kept_differs', number: 10n });
    expect((await verify({ kept: { ...kept, number: 9n } })).broken).toEqual({ kind: 'kept_foreign' });
  });
});

test('only the newest rows are checked if requested', async () => {
  await tamper("UPDATE audit_entry SET actor = 'nobody' WHERE merchant_id = $1 AND chain_number = 2", chain());
  expect(await verify({ newest: 4n })).toMatchObject({ rows: 4, broken: null });
  expect((await verify({ newest: 6n })).broken).toMatchObject({ kind: 'changed', number: 2n });
});

test('more rows than a page are sealed in batches and verified', async () => {
  await runtime().db.query(
    {
      text: `INSERT INTO audit_entry (id, merchant_id, environment, actor, action, subject, address, data, at)
             SELECT gen_random_uuid(), $1, 'live', 'user:asha@example.com', 'webhook.set', 'endpoint ' || n, '10.1.2.3',
               jsonb_build_object('before', jsonb_build_object('url', 'https://a.example/' || n), 'after', jsonb_build_object('url', 'https://b.example/' || n)), now()
             FROM generate_series(1, 12000) AS n`,
    },
    [chain()],
  );
  await sealAll();
  expect(await verify()).toMatchObject({ rows: 12_007, broken: null, tail: { count: 0 } });
});
