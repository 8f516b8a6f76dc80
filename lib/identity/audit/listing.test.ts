import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exportEntries, FORMATS, listAudit } from '@/lib/backoffice/audit-log/audit-log';
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '@/lib/backoffice/export/export-columns';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { REDELIVERED_STATES } from '@/lib/gateway/webhooks/redelivery-rules';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { PERMISSIONS, ROLES } from '@/lib/identity/accounts/permissions';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { keyActor, operatorActor, userActor } from '@/lib/platform/core/actor';
import { OPERATED_NETWORKS } from '@/lib/platform/core/network';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { accessOf, makeMember } from '@/testing/data/access';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { actionKey, billOf, describeAction, describeData } from './describe-entry';
import { type AuditFilter, readFilter } from './filter-rules';
import { recordEntry } from './record-entry';

const runtime = testRuntime();
const ALL: AuditFilter = { by: null, action: null, from: null, until: null };
let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
});

const idOf = async (email: string) => (await runtime().db.prisma.user.findUniqueOrThrow({ where: { email } })).id;
/** Records an entry in a millisecond of its own, because entries of the same millisecond have no order. */
const record = (action: string, more: object = {}) => {
  runtime().advance(1);
  return recordEntry(runtime(), { ...shop.scope('sandbox'), actor: operatorActor('asha'), action, subject: 'x', ...more });
};
async function signedIn(email: string): Promise<void> {
  const who = { actor: userActor({ email }, null), subject: await idOf(email) };
  runtime().advance(1);
  await recordEntry(runtime(), { merchantId: null, environment: null, action: 'sign-in', ...who });
}
async function actions(email: string, filter: Partial<AuditFilter> = {}): Promise<string[]> {
  const found = await listAudit(runtime(), await accessOf(runtime(), shop, email), { filter: { ...ALL, ...filter }, before: null });
  return (found?.entries ?? []).map(({ action }) => action);
}

describe('sign-ins', () => {
  test('of members are listed for owners since the member joined, and nobody else is listed', async () => {
    const other = await makeMerchant(runtime());
    const member = await makeMember(runtime(), shop, 'viewer');
    await signedIn(other.email);
    await signedIn(member);
    await record('key.created');
    expect(await actions(shop.email)).toEqual(['key.created', 'sign-in', 'merchant.created']);
    await runtime().db.query({ text: "UPDATE membership SET created_at = now() + interval '1 hour' WHERE user_id = $1" }, [
      await idOf(member),
    ]);
    expect(await actions(shop.email)).toEqual(['key.created', 'merchant.created']);
    await runtime().db.query({ text: 'DELETE FROM membership WHERE user_id = $1' }, [await idOf(member)]);
    expect(await actions(shop.email)).toEqual(['key.created', 'merchant.created']);
  });

  test('are not listed for admins, and other roles see no log at all', async () => {
    const admin = await makeMember(runtime(), shop, 'admin');
    const viewer = await makeMember(runtime(), shop, 'viewer');
    await signedIn(admin);
    expect(await actions(admin)).toEqual(['merchant.created']);
    const access = await accessOf(runtime(), shop, viewer);
    expect(await listAudit(runtime(), access, { filter: ALL, before: null })).toBeNull();
    expect(await exportEntries(runtime(), access, { filter: ALL, format: 'csv' })).toBeNull();
  });
});

test('entries of the other environment and of other merchants are not listed; filters and pages divide the rest', async () => {
  const other = await makeMerchant(runtime());
  await recordEntry(runtime(), {
    ...other.scope('sandbox'),
    actor: operatorActor('x'),
    action: 'key.created',
    subject: 'theirs',
  });
  await record('key.created', { environment: 'live' });
  for (let number = 0; number < 55; number += 1)
    await record(number % 2 ? 'key.created' : 'key.revoked', {
      actor: number % 5 ? keyActor('1') : userActor({ email: 'a@b.example' }, null),
    });
  const access = await accessOf(runtime(), shop, shop.email);
  const first = await listAudit(runtime(), access, { filter: ALL, before: null });
  const second = await listAudit(runtime(), access, { filter: ALL, before: first?.older ?? null });
  expect([first?.entries.length, second?.entries.length, second?.older]).toEqual([50, 6, null]);
  expect(new Set([...(first?.entries ?? []), ...(second?.entries ?? [])].map(({ id }) => id)).size).toBe(56);
  expect(await actions(shop.email, { action: 'key_created' })).toHaveLength(27);
  expect(await actions(shop.email, { by: 'user:a@b.example' })).toHaveLength(11);
  expect(await actions(shop.email, { by: 'operator' })).toEqual(['merchant.created']);
  expect(await actions(shop.email, { from: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await actions(shop.email, { until: new Date(0) })).toEqual([]);
});

test('a filter is read from the query, and invalid values are ignored', () => {
  expect(readFilter({ by: 'user:a@b.example', action: 'key.created', from: '2026-11-20', to: '2026-11-20' })).toEqual({
    by: 'user:a@b.example',
    action: 'key_created',
    from: new Date('2026-11-19T21:00:00Z'),
    until: new Date('2026-11-20T21:00:00Z'),
  });
  expect(readFilter({ by: '%', action: "'; DROP", from: '31/12', to: '2026-02-30' })).toEqual(ALL);
});

test('an export contains every entry, is safe in a spreadsheet, and is itself recorded', async () => {
  await record('key.created', { subject: '=1+1', data: { label: '=HYPERLINK("x")' } });
  const access = await accessOf(runtime(), shop, shop.email);
  const read = async (format: 'csv' | 'jsonl') => {
    const parts = await exportEntries(runtime(), access, { filter: ALL, format });
    let text = '';
    for await (const part of parts ?? []) text += part;
    return text;
  };
  const csv = await read('csv');
  expect(csv.split('\r\n')[0]).toBe('at,number,environment,actor,action,subject,address,data,hash,id');
  expect(csv).toContain(",'=1+1,");
  const lines = (await read('jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ action }) => action)).toEqual(['audit.exported', 'audit.exported', 'key.created', 'merchant.created']);
  expect(lines[2]).toMatchObject({ subject: '=1+1', data: { label: '=HYPERLINK("x")' }, number: null });
});

describe('descriptions', () => {
  test('exist for every action of the code, in both languages', () => {
    const found = actionsInCode();
    expect(found.length).toBeGreaterThan(40);
    expect(actionKey('constructor')).toBeNull();
    expect(found).toContain('bills.exported');
    expect(found.filter((action) => actionKey(action) === null)).toEqual([]);
    expect(describeAction('key.created', 'sw')).toBe('Ufunguo wa API umetengenezwa');
    expect(describeAction('some.thing', 'en')).toBe('some.thing');
  });

  test.each([
    ['reason', ['expired', 'gone', 'failing', 'this address is no longer in use']],
    ['outcome', ['paid', 'failed', 'refunded']],
    ['states', REDELIVERED_STATES],
    ['was', ['RUNNING', 'COMPLETED']],
    ['status', BILL_STATUSES],
    ['permission', PERMISSIONS],
    ['language', LOCALES],
    ['format', [...FORMATS, ...EXPORT_FORMATS]],
    ['role', ROLES],
    ['scopes', KEY_SCOPES],
    ['networks', OPERATED_NETWORKS],
    ['columns', EXPORT_COLUMNS],
  ] as const)('say each value of %s in words', (key, values) => {
    for (const value of values) expect(describeData({ [key]: value }, 'sw')[0]?.after).not.toBe(value);
  });

  test('show values before and after a change', () => {
    expect(
      describeData({ before: { brandColour: null, supportNumber: '0712' }, after: { brandColour: '#00aa77', supportNumber: null } }, 'en'),
    ).toEqual([
      { name: 'Colour', before: 'none', after: '#00aa77' },
      { name: 'Support number', before: '0712', after: 'none' },
    ]);
    expect(describeData({ amount: '700050' }, 'en')).toEqual([{ name: 'Amount', before: null, after: 'TZS\u00a07,000.50' }]);
    expect(describeData({ before: 'https://a.example/', after: 'https://b.example/' }, 'en')).toEqual([
      { name: 'Value', before: 'https://a.example/', after: 'https://b.example/' },
    ]);
    expect(describeData({ reason: 'because', networks: [], strange: { a: 1 }, after: { partialPayments: true } }, 'sw')).toEqual([
      { name: 'Kulipa sehemu', before: null, after: 'ndiyo' },
      { name: 'Sababu', before: null, after: 'because' },
      { name: 'strange', before: null, after: '{"a":1}' },
    ]);
    expect(describeData({ before: { logoHash: '5f0c' }, after: { logoHash: '77aa' } }, 'en')).toEqual([
      { name: 'Logo', before: 'a logo', after: 'a different logo' },
    ]);
    expect(describeData({ before: { logoHash: '5f0c' }, after: { logoHash: null } }, 'en')).toEqual([
      { name: 'Logo', before: 'a logo', after: 'none' },
    ]);
    expect(describeData({ before: { role: 'viewer' }, after: { role: 'collector' } }, 'sw')).toMatchObject([
      { before: 'mtazamaji', after: 'keshia' },
    ]);
    expect(describeData({ role: 'owner' }, 'sw')).toMatchObject([{ after: 'mmiliki' }]);
    expect(describeData({ role: 'auditor' }, 'sw')).toMatchObject([{ after: 'auditor' }]);
    expect(describeData({ after: { scopes: ['create', 'own'] } }, 'sw')).toEqual([
      { name: 'Ufunguo unaruhusiwa', before: null, after: 'Kutengeneza bili, own' },
    ]);
    expect(describeData({}, 'en')).toEqual([]);
  });

  test('show instants in East Africa Time and actors by their names, and leave out what people cannot read', () => {
    const id = '01987654-3210-7abc-8def-0123456789ab';
    expect(describeData({ before: null, after: '2026-11-21T11:22:56.287Z' }, 'en')).toEqual([]);
    expect(describeData({ note: id, rowsHash: '5f0c', mobile: null, outcomes: ['bad_signature: forged_accepted'] }, 'en')).toEqual([]);
    expect(describeData({ oldEndsAt: '2026-11-21T22:30:00.000Z', invitedBy: 'user:demo@example.com' }, 'en')).toEqual([
      { name: 'Old key expires', before: null, after: '22\u00a0Nov\u00a02026, 01:30' },
      { name: 'Invited by', before: null, after: 'demo@example.com' },
    ]);
    const entry = { subject: id, data: {} };
    expect([billOf({ ...entry, action: 'bill.closed' }), billOf({ ...entry, action: 'webhook.paused' })]).toEqual([id, null]);
    expect(billOf({ action: 'payment.allocated', subject: 'x', data: { bill: id } })).toBe(id);
  });
});

/** Returns all actions that the code records, as literals or as constants. */
function actionsInCode(): string[] {
  const files = ['app', 'lib'].flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^testing|generated/.test(path))
      .map((path) => readFileSync(join(PROJECT_ROOT, folder, path), 'utf8')),
  );
  const constants = new Map(
    files.flatMap((text) =>
      [...text.matchAll(/const ([A-Z_]+) = '([a-z_-]+\.[a-z_.-]+)'/g)].map(([, name = '', value = '']) => [name, value] as const),
    ),
  );
  return files
    .filter((text) => /record-entry'/.test(text))
    .flatMap((text) => [
      ...[...text.matchAll(/\baction(?::|\s*=) ([^;,\n}]+)/g)].flatMap(([, value = '']) =>
        [...value.matchAll(/'([a-z_.-]+)'/g)].map(([, name = '']) => name),
      ),
      ...[...text.matchAll(/\brecord\('([a-z_.-]+)'/g)].map(([, name = '']) => name),
      ...[...text.matchAll(/\baction: ([A-Z_]+)\b/g)].map(([, name = '']) => constants.get(name) ?? name),
    ]);
}
