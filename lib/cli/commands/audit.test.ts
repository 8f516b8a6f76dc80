import { expect, test } from 'vitest';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { createKey } from '@/lib/identity/keys/change-keys';
import { testCommand } from '@/testing/command';
import { makeMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);

async function sealAll(): Promise<void> {
  while (await sealEntries(runtime()));
}

test('audit verify finds changed and missing entries, the latter with a stored head', async () => {
  expect(await bili('audit', 'verify')).toEqual({ code: 0, stdout: 'The audit log is empty.\n', stderr: '' });
  expect(await bili('audit', 'head')).toEqual({
    code: 0,
    stdout: 'No entry is sealed yet. A worker seals new entries within seconds.\n',
    stderr: '',
  });
  const shop = await makeMerchant(runtime(), 'Duka la Mnyororo');
  const { slug, id } = shop.merchant;
  const key = () => createKey(runtime(), shop.operator('sandbox'), { label: 'x' });
  await key();
  expect(await json('audit', 'verify')).toMatchObject([{ name: slug, holds: true, entries: 0, head: null, unsealed: 2 }]);
  await sealAll();
  await key();
  const { stdout } = await bili('audit', 'verify', '--merchant', slug);
  expect(stdout).toMatch(new RegExp(`^holds {3}${slug}: 2 entries; 1 not sealed yet, the oldest from 20`));
  await sealAll();
  const head = (await bili('audit', 'head', '--merchant', slug)).stdout.trim();
  expect(head).toMatch(new RegExp(`^bili1:${id}:3:\\d+:[0-9a-f]{64}:[0-9a-f]{64}$`));
  expect(await json('audit', 'verify', '--head', head)).toMatchObject([{ name: slug, holds: true, entries: 3, unsealed: 0 }]);

  const { db, owner } = runtime();
  const [old] = await db.query<{ number: bigint }>({ text: 'SELECT number FROM audit_head WHERE chain = $1' }, [id]);
  expect(old).toEqual({ number: 3n });
  await owner.query({ text: 'ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_kept' });
  await db.query({ text: "UPDATE audit_entry SET actor = 'nobody' WHERE merchant_id = $1 AND chain_number = 2" }, [id]);
  const broken = await bili('audit', 'verify');
  expect(broken).toMatchObject({ code: 1, stderr: '1 of 1 chains is broken.\n' });
  expect(broken.stdout).toMatch(new RegExp(`^BROKEN {2}${slug}: entry 2 was changed or replaced \\(`));
  const doctor = await bili('doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/WRONG {2}The newest 1000 entries of each chain/);
  await db.query({ text: "UPDATE audit_entry SET actor = 'operator:test' WHERE merchant_id = $1 AND chain_number = 2" }, [id]);
  expect((await bili('audit', 'verify')).code).toBe(0);
  await db.query({ text: 'DELETE FROM audit_entry WHERE merchant_id = $1' }, [id]);
  await db.query({ text: 'DELETE FROM audit_head WHERE chain = $1' }, [id]);
  expect(await bili('audit', 'verify')).toMatchObject({ code: 0 });
  expect((await bili('audit', 'verify', '--head', head)).stdout).toContain(
    'entries were removed from the end: the head given with --head counts 3 entries, but the chain ends with entry 0',
  );
  await owner.query({ text: 'ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_kept' });
});

test('an invalid head is a usage error', async () => {
  const { code, stderr } = await bili('audit', 'verify', '--head', 'bili1:nonsense');
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a head that "bili audit head" printed')]);
});

test('an operator invites a person, and the link is printed once', async () => {
  const shop = await makeMerchant(runtime());
  const invite = ['user', 'invite', '--merchant', shop.merchant.slug, '--email', 'Asha@Example.com', '--reason', 'test', '--role'];
  expect(await json(...invite, 'admin')).toEqual({
    id: expect.any(String),
    merchant: shop.merchant.slug,
    email: 'asha@example.com',
    role: 'admin',
    link: expect.stringMatching(/^http:\/\/localhost:3000\/invitation\/[\w-]{43}$/),
  });
  expect(await bili(...invite, 'viewer')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^This person is already invited/) });
  expect(await bili(...invite, 'boss')).toMatchObject({ code: 2 });
});
