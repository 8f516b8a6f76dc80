import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { letIn } from '@/testing/data/access';
import { makeMerchant, testRuntime } from '@/testing/runtime';
import { changeKey, createKeyFromForm, revokeKey, rollKey } from './change-keys';
import { addUses } from './day-store';
import { EMPTY_KEY_FORM } from './empty-form';
import type { KeyFormValues } from './key-form';
import { listExpiringKeys, listKeys, showKey } from './show-keys';

const runtime = testRuntime();
const PLAIN: KeyFormValues = { ...EMPTY_KEY_FORM, label: 'Till' };

async function shop() {
  const merchant = await makeMerchant(runtime());
  const access = await letIn(runtime(), merchant);
  const make = async (values: Partial<KeyFormValues> = {}) => {
    const created = await createKeyFromForm(runtime(), access, { ...PLAIN, ...values });
    if (!created.ok) throw new Error(JSON.stringify(created.error));
    return created.value.id;
  };
  const audited = async (action: string) =>
    runtime().db.query<{ data: unknown; actor: string }>(
      { text: 'SELECT data, actor FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY id' },
      [merchant.merchant.id, action],
    );
  return { merchant, access, make, audited };
}

test('a key is created with its name, expiry and limits', async () => {
  const { access, make, audited, merchant } = await shop();
  await make({ expiry: '30', networks: '41.59.10.7, 2001:db8::/32', billMax: '50,000', dayMax: '200000.50' });
  const [key] = await listKeys(runtime(), access);
  expect(key).toMatchObject({
    label: 'Till',
    networks: ['41.59.10.7', '2001:db8::/32'],
    billMax: 5_000_000n,
    dayMax: 20_000_050n,
    createdBy: merchant.email,
  });
  expect(Math.abs((key?.expiresAt?.getTime() ?? 0) - addMs(runtime().clock(), 30 * DAY_MS).getTime())).toBeLessThan(MINUTE_MS);
  expect(await audited('key.created')).toMatchObject([{ actor: `user:${merchant.email}`, data: { label: 'Till', billMax: '50000.0' } }]);
});

test('members without the permission or without a recent proof of identity cannot change keys', async () => {
  const { merchant, access, make } = await shop();
  const id = await make();
  const viewer = await letIn(runtime(), merchant, { role: 'viewer' });
  const collector = await letIn(runtime(), merchant, { role: 'collector' });
  expect(await listKeys(runtime(), collector)).toEqual([]);
  expect(await showKey(runtime(), collector, id)).toBeUndefined();
  expect(await listKeys(runtime(), viewer)).toHaveLength(1);
  const late = { ...runtime(), clock: () => addMs(runtime().clock(), 16 * MINUTE_MS) };
  for (const [on, who, error] of [
    [runtime(), viewer, 'not_allowed'],
    [late, access, 'not_proven'],
  ] as const) {
    expect(await createKeyFromForm(on, who, PLAIN)).toEqual({ ok: false, error });
    expect(await changeKey(on, who, { id, values: PLAIN })).toEqual({ ok: false, error });
    expect(await rollKey(on, who, { id, overlap: 'hour' })).toEqual({ ok: false, error });
    expect(await revokeKey(on, who, id)).toEqual({ ok: false, error });
  }
});

test('the key of another merchant is not found and cannot be changed', async () => {
  const { make, access } = await shop();
  const id = await make();
  const stranger = (await shop()).access;
  expect(await showKey(runtime(), stranger, id)).toBeUndefined();
  expect(await changeKey(runtime(), stranger, { id, values: PLAIN })).toEqual({ ok: false, error: 'not_found' });
  expect(await rollKey(runtime(), stranger, { id, overlap: 'hour' })).toEqual({ ok: false, error: 'not_found' });
  expect(await revokeKey(runtime(), stranger, id)).toEqual({ ok: false, error: 'not_found' });
  expect((await showKey(runtime(), access, id))?.state).toBe('active');
});

test('a change is recorded with the values before and after, and a form without changes is not', async () => {
  const { access, make, audited } = await shop();
  const id = await make();
  const change = (values: Partial<KeyFormValues>) => changeKey(runtime(), access, { id, values: { ...PLAIN, expiry: 'keep', ...values } });
  expect(await change({})).toEqual({ ok: true, value: { changed: false } });
  expect(await change({ label: 'Web', billMax: '900' })).toEqual({ ok: true, value: { changed: true } });
  expect(await change({ networks: 'nowhere' })).toEqual({
    ok: false,
    error: { field: 'networks', code: 'not_a_network', text: 'nowhere' },
  });
  expect(await audited('key.changed')).toMatchObject([
    { data: { before: { label: 'Till', billMax: null }, after: { label: 'Web', billMax: '900.0' } } },
  ]);
});

describe('rolling a key', () => {
  test.each([
    ['hour', HOUR_MS],
    ['day', DAY_MS],
    ['week', 7 * DAY_MS],
    ['open', null],
  ] as const)('lets the old key work for the overlap: %s', async (overlap, ms) => {
    const { access, make } = await shop();
    const id = await make({ billMax: '700', networks: '41.59.0.0/16' });
    const before = runtime().clock();
    const rolled = await rollKey(runtime(), access, { id, overlap });
    if (!rolled.ok) throw new Error(rolled.error);
    const successor = await showKey(runtime(), access, rolled.value.pair.id);
    expect(successor).toMatchObject({ label: 'Till', billMax: 70_000n, networks: ['41.59.0.0/16'], replacesId: id, expiresAt: null });
    const old = await showKey(runtime(), access, id);
    if (ms === null) expect(old?.expiresAt).toBeNull();
    else expect(Math.abs((old?.expiresAt?.getTime() ?? 0) - before.getTime() - ms)).toBeLessThan(MINUTE_MS);
    expect(await rollKey(runtime(), access, { id, overlap })).toEqual({ ok: false, error: 'rolled_before' });
  });

  test('gives the successor the original lifetime of the old key, and does not extend the old key', async () => {
    const { access, make } = await shop();
    const id = await make({ expiry: '30' });
    runtime().advance(29.5 * DAY_MS);
    const again = { ...access, provenAt: runtime().clock() };
    const end = (await showKey(runtime(), again, id))?.expiresAt;
    const rolled = await rollKey(runtime(), again, { id, overlap: 'week' });
    if (!rolled.ok) throw new Error(rolled.error);
    expect(rolled.value.oldEndsAt).toEqual(end);
    const successor = await showKey(runtime(), again, rolled.value.pair.id);
    expect(Math.abs((successor?.expiresAt?.getTime() ?? 0) - addMs(runtime().clock(), 30 * DAY_MS).getTime())).toBeLessThan(MINUTE_MS);
  });

  test('shows whether the old key can be revoked', async () => {
    const { access, make } = await shop();
    const id = await make();
    const rolled = await rollKey(runtime(), access, { id, overlap: 'open' });
    if (!rolled.ok) throw new Error(rolled.error);
    const successor = rolled.value.pair.id;
    const use = (keyId: string, count: number) => {
      const lastAt = runtime().clock();
      const day = addMs(lastAt, 3 * HOUR_MS)
        .toISOString()
        .slice(0, 10);
      return addUses(runtime().db, [{ keyId, day, count, lastAt, lastAddress: '41.59.10.7', lastRoute: 'POST bills/create' }]);
    };
    const answer = async () => (await showKey(runtime(), access, successor))?.drop;
    expect(await answer()).toMatchObject({ answer: 'successor_unused' });
    await use(id, 1);
    await use(successor, 100);
    expect(await answer()).toMatchObject({
      answer: 'in_use',
      newUses: 100,
      old: { lastAddress: '41.59.10.7', lastRoute: 'POST bills/create' },
    });
    runtime().advance(HOUR_MS);
    await use(successor, 20);
    expect(await answer()).toMatchObject({ answer: 'quiet', newUses: 120 });
    runtime().advance(25 * HOUR_MS);
    expect(await answer()).toMatchObject({ answer: 'safe' });
    await revokeKey(runtime(), { ...access, provenAt: runtime().clock() }, id);
    expect(await answer()).toBeNull();
  });
});

test('a key that expires soon is listed until it has a successor', async () => {
  const { access, make } = await shop();
  const id = await make({ expiry: '30', label: 'Ends' });
  await make({ expiry: '365' });
  await make();
  expect(await listExpiringKeys(runtime(), access.scope)).toEqual([]);
  runtime().advance(24 * DAY_MS);
  expect(await listExpiringKeys(runtime(), access.scope)).toMatchObject([{ id, endsSoon: true }]);
  await rollKey(runtime(), { ...access, provenAt: runtime().clock() }, { id, overlap: 'open' });
  expect(await listExpiringKeys(runtime(), access.scope)).toEqual([]);
});

test.each(['', 'bili', 'a\0b', '%00', 'x'.repeat(10_000)])('%j is not found as a key', async (id) => {
  const { access } = await shop();
  expect(await showKey(runtime(), access, id)).toBeUndefined();
  expect(await revokeKey(runtime(), access, id)).toMatchObject({ error: 'not_found' });
  expect(await rollKey(runtime(), access, { id, overlap: 'day' })).toMatchObject({ error: 'not_found' });
  expect(await changeKey(runtime(), access, { id, values: PLAIN })).toMatchObject({ error: 'not_found' });
});
