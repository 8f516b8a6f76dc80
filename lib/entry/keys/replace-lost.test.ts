import { beforeAll, expect, test } from 'vitest';
import { checkDeployment } from '@/lib/cli/deployment/check-deployment';
import { startHeartbeat } from '@/lib/entry/processes/start-heartbeat';
import { revealSecrets } from '@/lib/gateway/webhooks/endpoint/show-secrets';
import { OPERATOR_CHAIN } from '@/lib/identity/audit/chain-rules';
import { findHead } from '@/lib/identity/audit/chain-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { sealEntries } from '@/lib/identity/audit/seal-entries';
import { verifyChain } from '@/lib/identity/audit/verify-chain';
import { createSecrets, PURPOSES } from '@/lib/platform/config/secrets';
import { newId } from '@/lib/platform/core/ids';
import { openSecrets } from '@/lib/platform/keys/open-secrets';
import { accountOf, secondFactorFor, signInAs } from '@/testing/data/accounts';
import { decryptAll, type KeyedData, makeKeyedData, QUEUED_MAIL, readKeyedData } from '@/testing/data/encrypted-values';
import { makeMerchant, TEST_OPERATOR, TEST_SECRET_KEY, type TestRuntime, testRuntime } from '@/testing/runtime';
import { renewKeys, replaceLost } from './replace-lost';

const runtime = testRuntime(QUEUED_MAIL);
const OTHER = Buffer.alloc(32, 9).toString('base64');
const startError = expect.objectContaining({ name: 'StartError' });

let data: KeyedData;
let texts: Record<string, string | null>;
beforeAll(async () => {
  data = await makeKeyedData(runtime());
  texts = await decryptAll(runtime());
});

/** A command with a new key, before the lost one is replaced. */
const newSettings = () => ({ ...runtime().settings, SECRET_KEY: OTHER });
const lose = () => replaceLost({ ...runtime(), settings: newSettings() }, TEST_OPERATOR);

test('while the key is right, nothing is lost and nothing changes', async () => {
  expect(await replaceLost(runtime(), TEST_OPERATOR)).toEqual({ ok: true, value: { values: {}, purposes: [], accounts: [] } });
  expect(await decryptAll(runtime())).toEqual(texts);
  expect(await readKeyedData(runtime(), data)).toMatchObject({ receipt: 'genuine', callback: true, phone: true, recoveryCode: true });
});

test('a single value that cannot be read is replaced alone', async () => {
  const { db } = runtime();
  const shop = await makeMerchant(runtime(), 'Duka la pili');
  const { id } = await db.prisma.webhookEndpoint.findFirstOrThrow({ where: { merchantId: shop.merchant.id, environment: 'live' } });
  await db.prisma.webhookEndpoint.update({
    where: { id },
    data: { encryptedSecret: createSecrets({ SECRET_KEY: OTHER }).encrypt('x', 'y') },
  });
  const lost = { values: { 'webhook_endpoint.encrypted_secret': 1 }, purposes: [], accounts: [] };
  expect(await replaceLost(runtime(), TEST_OPERATOR)).toEqual({ ok: true, value: lost });
  expect(await revealSecrets(runtime(), shop.operator('live'))).toMatchObject({ ok: true });
  expect(await decryptAll(runtime())).toMatchObject(texts);
});

test('with a lost key, no process starts, and nothing is replaced while one runs', async () => {
  await expect(checkDeployment(newSettings())).rejects.toEqual(startError);
  const heartbeat = await startHeartbeat(runtime(), 'web');
  expect(await lose()).toEqual({ ok: false, error: 'in_use' });
  await heartbeat.stop();
  expect(await decryptAll(runtime())).toMatchObject(texts);
});

test('stored keys are renewed after the master key was replaced, and only the named ones', async () => {
  const renew = (process: TestRuntime) => renewKeys(process, { purposes: ['phone-link', 'audit'], actor: TEST_OPERATOR });
  expect(await renew(runtime())).toEqual({ ok: false, error: 'same_key' });
  const settings = { ...runtime().settings, SECRET_KEY: Buffer.alloc(32, 8).toString('base64'), SECRET_KEY_OTHER: TEST_SECRET_KEY };
  const process = { ...runtime(), settings, secrets: await openSecrets(runtime().db, settings) };
  const heartbeat = await startHeartbeat(process, 'web');
  expect(await renew(process)).toEqual({ ok: false, error: 'in_use' });
  await heartbeat.stop();
  expect(await renew(process)).toEqual({ ok: true, value: null });
  const renewed = { ...process, secrets: await openSecrets(runtime().db, settings) };
  const used = await readKeyedData(renewed, data);
  expect(used).toMatchObject({ receipt: 'genuine', callback: true, recoveryCode: true, phone: false, audit: [null, null] });
});

test('a database with a lost key works again: only what depends on the key is replaced', async () => {
  const { db } = runtime();
  const { shop, account } = data;
  const browser = { merchantId: shop.merchant.id, environment: 'sandbox', userId: data.owner.user.id } as const;
  const now = runtime().clock();
  const session = await db.prisma.session.findFirstOrThrow({ where: { userId: browser.userId } });
  const subscription = {
    ...browser,
    sessionId: session.id,
    endpoint: 'https://push.example/1',
    createdAt: now,
    notifiedUntil: now,
    dueAt: now,
  };
  await db.prisma.pushSubscription.create({ data: { id: newId(runtime()), ...subscription } });
  const kept = await findHead(db, OPERATOR_CHAIN);

  const lost = await lose();
  expect(lost).toMatchObject({ ok: true, value: { purposes: [...PURPOSES], accounts: [account.id] } });
  const secrets = await checkDeployment(newSettings());
  const process: TestRuntime = { ...runtime(), settings: newSettings(), secrets };

  // Every value can be read again or is gone.
  const after = await decryptAll(process);
  expect(Object.entries(after).filter(([, text]) => text === null)).toEqual([]);
  expect(await db.prisma.mail.count({ where: { state: 'QUEUED' } })).toBe(0);
  expect(await db.prisma.providerSession.count()).toBe(0);
  expect(await db.prisma.secondFactor.count()).toBe(0);
  expect(await db.prisma.recoveryCode.count()).toBe(0);
  expect(await db.prisma.pushSubscription.count()).toBe(0);

  // What was signed with the old keys is not valid any more.
  expect(await readKeyedData(process, data)).toMatchObject({ receipt: 'unknown', callback: false, phone: false, recoveryCode: false });

  // The merchant sees a new secret, without the previous one. The session is still open, and a new second factor can be set up.
  const shown = await revealSecrets(process, shop.operator('live'));
  expect(shown).toMatchObject({ ok: true, value: { secret: expect.stringMatching(/^whsec_/), previous: null } });
  expect(Object.values(texts)).not.toContain(shown.ok ? shown.value.secret : '');
  const { token } = await signInAs(process, shop);
  await secondFactorFor(process, await accountOf(process, token));

  // The audit log continues. A head that was stored elsewhere can no longer be checked.
  await recordEntry(process, { merchantId: null, environment: null, actor: TEST_OPERATOR, action: 'later', subject: 'later' });
  while (await sealEntries(process));
  expect((await verifyChain(process, { chain: OPERATOR_CHAIN })).broken).toBeNull();
  expect((await verifyChain(process, { chain: shop.merchant.id })).broken).toBeNull();
  if (!kept) throw new Error('no entry was sealed');
  expect((await verifyChain(process, { chain: OPERATOR_CHAIN, kept })).broken).toEqual({ kind: 'kept_foreign' });

  const entry = await db.prisma.auditEntry.findFirstOrThrow({ where: { action: 'master_key.lost', subject: secrets.keyIds[0] } });
  expect(entry).toMatchObject({ actor: 'operator:test', data: lost.ok ? lost.value.values : {} });
  expect((await openSecrets(db, newSettings())).keyIds).toEqual(secrets.keyIds);
});
