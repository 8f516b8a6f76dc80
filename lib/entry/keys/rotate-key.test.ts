import { beforeAll, expect, test } from 'vitest';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { examineKeys } from '@/lib/entry/doctor/examine-keys';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { rotateSecret } from '@/lib/gateway/webhooks/endpoint/rotate-secret';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { createSecrets, type MasterKeys, PURPOSES } from '@/lib/platform/config/secrets';
import { openSecrets } from '@/lib/platform/keys/open-secrets';
import { decryptAll, type KeyedData, makeKeyedData, QUEUED_MAIL, readKeyedData } from '@/testing/data/encrypted-values';
import { makeMerchant, TEST_OPERATOR, TEST_SECRET_KEY, type TestRuntime, testRuntime } from '@/testing/runtime';
import { readSourceFiles } from '@/testing/structure/source-files';
import { countEncrypted, ENCRYPTED_COLUMNS } from './encrypted-columns';
import { rotateKey } from './rotate-key';

const runtime = testRuntime(QUEUED_MAIL);
const NEXT = Buffer.alloc(32, 8).toString('base64');
const FIRST: MasterKeys = { SECRET_KEY: TEST_SECRET_KEY };
const ADDED: MasterKeys = { SECRET_KEY: TEST_SECRET_KEY, SECRET_KEY_OTHER: NEXT };
const SWAPPED: MasterKeys = { SECRET_KEY: NEXT, SECRET_KEY_OTHER: TEST_SECRET_KEY };
const DROPPED: MasterKeys = { SECRET_KEY: NEXT };
const [newId] = createSecrets(DROPPED).keyIds;

/** A process with other master keys, as it starts. */
async function processWith(masters: MasterKeys): Promise<TestRuntime> {
  return { ...runtime(), secrets: await openSecrets(runtime().db, masters) };
}

const rotate = (process: TestRuntime, signal = new AbortController().signal) => rotateKey(process, { actor: TEST_OPERATOR, signal });
const underOthers = async () => (await countEncrypted(runtime().db)).filter(({ keyId }) => keyId !== newId);
const startError = expect.objectContaining({ name: 'StartError' });

let data: KeyedData;
beforeAll(async () => {
  data = await makeKeyedData(runtime());
});

test('every encrypted column is listed, and nothing else in the product encrypts', async () => {
  const columns = await runtime().db.query<{ name: string }>({
    text: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
           WHERE table_schema = 'public' AND column_name LIKE '%encrypted%' ORDER BY 1`,
  });
  expect(ENCRYPTED_COLUMNS.map(({ name }) => name).toSorted()).toEqual(columns.map(({ name }) => name));
  const filled = new Set((await countEncrypted(runtime().db)).map(({ column }) => column));
  expect(ENCRYPTED_COLUMNS.filter(({ name }) => !filled.has(name))).toEqual([]);
  // A file that is missing here encrypts something: a column (its name must contain "encrypted"), or a cookie (see docs/security.md).
  const encrypting = readSourceFiles().filter(({ isProduct, text }) => isProduct && /secrets\.encrypt\(/.test(text));
  expect(encrypting.map(({ path }) => path).toSorted()).toEqual([
    'lib/backoffice/merchants/create-merchant.ts',
    'lib/entry/http/pay-device.ts',
    'lib/entry/keys/replace-lost.ts',
    'lib/entry/keys/rotate-key.ts',
    'lib/entry/server/typed-email.ts',
    'lib/gateway/webhooks/endpoint/rotate-secret.ts',
    'lib/identity/accounts/device.ts',
    'lib/identity/accounts/sign-in/device-secret.ts',
    'lib/identity/accounts/sign-in/manage-second-factor.ts',
    'lib/platform/keys/open-secrets.ts',
    'lib/platform/mail/queue-mail.ts',
    'lib/providers/accounts/account-store.ts',
    'lib/providers/port/session-store.ts',
  ]);
});

test('processes that start at once store one key for each purpose', async () => {
  await runtime().db.prisma.derivedKey.deleteMany({ where: { purpose: { in: ['pseudonym', 'push'] } } });
  const started = await Promise.all(Array.from({ length: 8 }, () => processWith(FIRST)));
  for (const { secrets } of started) {
    for (const purpose of PURPOSES) expect(secrets.key(purpose)).toEqual(runtime().secrets.key(purpose));
  }
});

test('a key is replaced while processes read and write, and what depends on stored keys stays the same', async () => {
  const before = { texts: await decryptAll(runtime()), used: await readKeyedData(runtime(), data) };
  expect(before.used).toMatchObject({ receipt: 'genuine', callback: true, phone: true, recoveryCode: true, audit: [null, null] });
  const [first, added, swapped] = [await processWith(FIRST), await processWith(ADDED), await processWith(SWAPPED)];
  expect(await rotate(first)).toEqual({ ok: false, error: { code: 'one_key' } });

  // Each process works on its own shop: a process of either configuration reads what the other has written.
  const shops = [await makeMerchant(added, 'Duka A'), await makeMerchant(swapped, 'Duka B')];
  const working = new AbortController();
  let writes = 0;
  const work = shops.map(async (shop, index) => {
    while (!working.signal.aborted) {
      const [writer, reader] = (index + writes) % 2 === 0 ? [added, swapped] : [swapped, added];
      const rotated = await rotateSecret(writer, shop.operator('live'), { ms: 0 });
      const read = await revealSecrets(reader, shop.operator('live'));
      expect(read).toMatchObject({ ok: true, value: { secret: rotated.ok ? rotated.value.secret : '' } });
      writes += 1;
    }
  });
  while (writes < 10) await revealSecrets(added, data.shop.operator('live'));

  // The first run is interrupted, and the second one does the rest.
  const stopped = new AbortController();
  const interrupted = rotate({ ...swapped, secrets: { ...swapped.secrets, encrypt: abortAfter(3, swapped, stopped) } }, stopped.signal);
  expect(await interrupted).toEqual({ ok: false, error: { code: 'stopped', replaced: 3 } });
  expect((await underOthers()).length).toBeGreaterThan(0);
  for (const process of [first, added, swapped]) expect(await readKeyedData(process, data)).toEqual(before.used);
  expect(await rotate(swapped)).toEqual({ ok: true, value: expect.any(Number) });
  working.abort();
  await Promise.all(work);
  // A process that still encrypted with the old key may have written meanwhile.
  expect((await rotate(swapped)).ok).toBe(true);

  expect(await underOthers()).toEqual([]);
  const dropped = await processWith(DROPPED);
  expect(await decryptAll(dropped)).toMatchObject(before.texts);
  expect(await readKeyedData(dropped, data)).toEqual(before.used);
  expect(await rotate(swapped)).toEqual({ ok: true, value: 0 });
  const actions = await runtime().db.prisma.auditEntry.findMany({
    where: { action: { startsWith: 'master_key.' } },
    orderBy: { id: 'asc' },
  });
  expect(actions.map(({ action, subject }) => [action, subject]).slice(0, 3)).toEqual([
    ['master_key.rotation_started', newId],
    ['master_key.rotation_started', newId],
    ['master_key.rotated', newId],
  ]);
});

/** Encrypts, and aborts the work after some values. */
function abortAfter(count: number, { secrets }: TestRuntime, stopped: AbortController): TestRuntime['secrets']['encrypt'] {
  let done = 0;
  return (text, context) => {
    done += 1;
    if (done === count) stopped.abort();
    return secrets.encrypt(text, context);
  };
}

test('nobody starts with the old key alone, with an unknown key, or with a key that a running process lacks', async () => {
  const check = (masters: MasterKeys) => checkDeployment({ ...runtime().settings, SECRET_KEY_OTHER: undefined, ...masters });
  await expect(check(FIRST)).rejects.toEqual(startError);
  await expect(check({ SECRET_KEY: Buffer.alloc(32, 9).toString('base64') })).rejects.toEqual(startError);
  expect((await check(DROPPED)).keyIds).toEqual([newId]);
  const heartbeat = await startHeartbeat(await processWith(DROPPED), 'worker');
  await expect(check(ADDED)).rejects.toEqual(startError);
  expect((await check(SWAPPED)).keyIds[0]).toBe(newId);
  await heartbeat.stop();
  expect((await check(ADDED)).keyIds[1]).toBe(newId);
});

test('the operator sees which keys are in use', async () => {
  const levels = async (masters: MasterKeys) =>
    (await examineKeys(await processWith(masters))).map(({ level, details }) => [level, details.length]);
  expect(await levels(DROPPED)).toEqual([
    ['ok', 0],
    ['ok', 0],
    ['ok', 0],
  ]);
  const heartbeat = await startHeartbeat(await processWith(SWAPPED), 'web');
  expect(await levels(SWAPPED)).toEqual([
    ['ok', 0],
    ['ok', 0],
    ['note', 1],
  ]);
  expect(await levels(DROPPED)).toEqual([
    ['ok', 0],
    ['note', 1],
    ['ok', 0],
  ]);
  await heartbeat.stop();
  const foreign = { ...runtime(), secrets: createSecrets({ SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }) };
  expect((await examineKeys(foreign))[0]).toMatchObject({ level: 'wrong' });
});

test('nothing is replaced while a process encrypts with another key', async () => {
  const heartbeat = await startHeartbeat(await processWith(ADDED), 'web');
  expect(await rotate(await processWith(SWAPPED))).toMatchObject({ ok: false, error: { code: 'writers', processes: [{ role: 'web' }] } });
  await heartbeat.stop();
});

test('a value that no key decrypts stops the replacement, and is named', async () => {
  const { db } = runtime();
  const { id } = data.account;
  const lost = createSecrets({ SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }).encrypt('{}', `provider-account:${id}`);
  await db.prisma.providerAccount.update({ where: { id }, data: { encryptedCredentials: lost } });
  const value = `provider_account.encrypted_credentials ${id}`;
  expect(await rotate(await processWith(SWAPPED))).toEqual({ ok: false, error: { code: 'unreadable', value } });
});

test('a first start with two master keys is refused, because the stored keys must come from the first one', async () => {
  await runtime().db.prisma.derivedKey.deleteMany();
  await expect(openSecrets(runtime().db, SWAPPED)).rejects.toThrow('SECRET_KEY_OTHER');
});
