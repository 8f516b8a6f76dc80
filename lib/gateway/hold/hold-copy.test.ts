import { afterEach, expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { refreshHold } from '@/lib/platform/hold/hold';
import { insertHold, readHold } from '@/lib/platform/hold/hold-store';
import { submitMail } from '@/lib/platform/mail/send-mail';
import { callOnce } from '@/lib/platform/outbound/call-once';
import { collectLog } from '@/testing/log-lines';
import { makeBill, makeMerchant, TEST_OPERATOR, testRuntime } from '@/testing/runtime';
import { endHold, startHold } from './hold-copy';

const runtime = testRuntime();
const actor = TEST_OPERATOR;

afterEach(async () => {
  globalThis.biliHold = undefined;
  await runtime().db.prisma.hold.deleteMany();
});

test('a copy has one hold, which the audit log has with its end', async () => {
  const { db, clock } = runtime();
  expect(await endHold(runtime(), { actor })).toEqual({ kind: 'not_held' });
  const first = await insertHold(db, { since: clock(), reason: 'restored' });
  expect(await insertHold(db, { since: clock(), reason: 'restored again' })).toEqual(first);
  expect(await startHold(runtime(), { actor, reason: 'by hand' })).toEqual({ hold: first, started: false });
  expect(await endHold(runtime(), { actor })).toMatchObject({ kind: 'ended', since: first.since });
  expect(await readHold(db)).toBeNull();
  expect(await startHold(runtime(), { actor, reason: 'by hand' })).toMatchObject({ started: true, hold: { reason: 'by hand' } });
  const entries = await db.prisma.auditEntry.findMany({ where: { subject: 'hold' }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actor: by }) => ({ action, by }))).toEqual([
    { action: 'hold.ended', by: actor.name },
    { action: 'hold.started', by: actor.name },
  ]);
});

test('a hold ends only when no open payment request of live is younger than ten minutes', async () => {
  await insertHold(runtime().db, { since: runtime().clock(), reason: 'restored' });
  const merchant = await makeMerchant(runtime());
  await makeBill(runtime(), merchant, { environment: 'live', mobile: '0754000001' });
  const ended = await endHold(runtime(), { actor });
  expect(ended).toMatchObject({ kind: 'too_early', until: expect.any(Date) });
  runtime().advance(10 * MINUTE_MS);
  // No account serves the network, so the request cannot have been sent, and stays as it is.
  expect(await endHold(runtime(), { actor })).toMatchObject({ kind: 'ended', interrupted: { attempts: 0 } });
});

test('both clients to the outside refuse, and a process that has not read its database sends nothing', async () => {
  const { log, lines } = collectLog();
  const { db } = runtime();
  const mail = { id: 'x', to: 'a@example.com', subject: 's', text: 't', html: 'h', writtenAt: new Date() };
  const server = { server: new URL('smtp://127.0.0.1:9'), from: { name: 'Bili', address: 'b@example.com' } };
  const call = () => callOnce('http://127.0.0.1:9/', { headers: {}, timeoutMs: 1_000 });
  globalThis.biliHold = 'unread';
  await expect(call()).rejects.toThrow(expect.objectContaining({ name: 'OnHold' }));
  await insertHold(db, { since: new Date(), reason: 'restored' });
  await refreshHold({ db, log });
  await expect(call()).rejects.toThrow(expect.objectContaining({ name: 'OnHold' }));
  await expect(submitMail(server, mail)).rejects.toThrow(expect.objectContaining({ name: 'OnHold' }));
  await endHold(runtime(), { actor });
  await refreshHold({ db, log });
  expect(await call()).toMatchObject({ error: { kind: 'refused', sent: false } });
  expect(lines).toHaveLength(2);
});
