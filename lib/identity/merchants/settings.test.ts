import { beforeEach, describe, expect, test } from 'vitest';
import { changeBrandFromForm } from '@/lib/backoffice/merchants/change-brand';
import { changeProfile, changeSettings, showSettings } from '@/lib/backoffice/merchants/change-settings';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { accessOf, makeMember } from '@/testing/data/access';
import { mailsTo } from '@/testing/data/mails';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { type Notify, parseAddresses, readNotify } from './notify-rules';
import { findRecipients } from './notify-store';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
let shop: TestMerchant;
beforeEach(async () => {
  shop = await makeMerchant(runtime());
});

const to = (...addresses: string[]) => ({ on: true, addresses });
const owner = () => accessOf(runtime(), shop, shop.email);
const entries = (action: string) =>
  runtime().db.query<{ data: unknown }>(
    { text: 'SELECT actor, environment, address, data FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY at, id' },
    [shop.merchant.id, action],
  );

test('the audit log contains the changed values before and after, and no unchanged ones', async () => {
  const change = { name: ' Mama Asha ', language: 'sw', notify: { webhooks: to('a@b.example', 'c@d.example') } } as const;
  expect(await changeSettings(runtime(), await owner(), { change })).toMatchObject({ ok: true });
  expect(await changeSettings(runtime(), await owner(), { change })).toMatchObject({ ok: true });
  expect(await entries('settings.changed')).toEqual([
    {
      actor: `user:${shop.email}`,
      environment: null,
      address: '192.0.2.1',
      data: {
        before: { name: 'Duka', language: null, notifyWebhooks: 'owners, admins' },
        after: { name: 'Mama Asha', language: 'sw', notifyWebhooks: 'a@b.example, c@d.example' },
      },
    },
  ]);
  expect(await showSettings(runtime(), await owner())).toMatchObject({
    name: 'Mama Asha',
    language: 'sw',
    notify: { webhooks: to('a@b.example', 'c@d.example'), money: to(), summary: { on: false } },
  });
});

test('only recipients who no longer get notices about keys and team get a mail that says so and who changed it', async () => {
  const change = async (security: Notify['security']) => {
    const changed = await changeSettings(runtime(), await owner(), { change: { notify: { security } } });
    expect(changed.ok).toBe(true);
    return (await mailsTo(runtime(), shop.email)).map(({ text }) => text);
  };
  const office = `office-${shop.merchant.slug}@b.example`;
  expect(await change(to(shop.email, office))).toEqual([]);
  const [mail, ...others] = await change(to(office));
  expect(mail).toContain(`${shop.email} (192.0.2.1) has changed who gets e-mails`);
  expect(mail).toContain(`/m/${shop.merchant.slug}/sandbox/settings#notify`);
  expect(others).toEqual([]);
  expect(await mailsTo(runtime(), office)).toEqual([]);
  await change({ on: false, addresses: [office] });
  expect(await mailsTo(runtime(), office)).toHaveLength(1);
  expect(await change({ on: false, addresses: [] })).toHaveLength(1);
});

test('an old name that is not valid any more does not prevent changes of other settings', async () => {
  await runtime().db.query({ text: "UPDATE merchant SET name = 'duka.co.tz' WHERE id = $1" }, [shop.merchant.id]);
  const change = { name: 'duka.co.tz', language: 'en' } as const;
  expect(await changeSettings(runtime(), await owner(), { change })).toMatchObject({ ok: true });
});

test('a change of one environment does not affect the other', async () => {
  expect(await changeProfile(runtime(), await owner(), { partialPayments: true, uniqueReferences: false })).toMatchObject({ ok: true });
  expect(await entries('profile.changed')).toMatchObject([
    { environment: 'sandbox', data: { before: { partialPayments: false }, after: { partialPayments: true } } },
  ]);
  expect(await showSettings(runtime(), await accessOf(runtime(), shop, shop.email, 'live'))).toMatchObject({ partialPayments: false });
});

test('issuing for each new bill is switched on in one environment, and the audit log says so', async () => {
  expect(await changeProfile(runtime(), await owner(), { issuesInstruments: true })).toMatchObject({ ok: true });
  expect(await showSettings(runtime(), await owner())).toMatchObject({ issuesInstruments: true });
  expect(await entries('profile.changed')).toMatchObject([
    { environment: 'sandbox', data: { before: { issuesInstruments: false }, after: { issuesInstruments: true } } },
  ]);
  expect(await showSettings(runtime(), await accessOf(runtime(), shop, shop.email, 'live'))).toMatchObject({ issuesInstruments: false });
});

describe('a change is refused', () => {
  test('if the last proof of identity is older than 15 minutes', async () => {
    const access = await owner();
    runtime().advance(16 * MINUTE_MS);
    const before = await showSettings(runtime(), access);
    const change = { notify: { security: to('thief@example.com') } };
    expect(await changeSettings(runtime(), access, { change: { name: 'Mwizi' } })).toMatchObject({ error: 'not_proven' });
    expect(await changeSettings(runtime(), access, { change })).toMatchObject({ error: 'not_proven' });
    expect(await changeProfile(runtime(), access, { partialPayments: true })).toMatchObject({
      error: 'not_proven',
    });
    const brand = { colour: '', support: '0712345678', address: null };
    expect(await changeBrandFromForm(runtime(), access, brand)).toMatchObject({ error: { field: 'all', kind: 'not_proven' } });
    expect(await showSettings(runtime(), access)).toEqual(before);
  });

  test('if the role may not change settings', async () => {
    const viewer = await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'viewer'));
    expect(await changeSettings(runtime(), viewer, { change: { name: 'x' } })).toEqual({ ok: false, error: 'not_allowed' });
    expect(await changeProfile(runtime(), viewer, { partialPayments: true })).toMatchObject({
      error: 'not_allowed',
    });
    expect(await changeBrandFromForm(runtime(), viewer, { colour: '#000', support: '' })).toMatchObject({
      ok: false,
    });
    expect(await showSettings(runtime(), viewer)).toMatchObject({ name: 'Duka' });
    expect(await showSettings(runtime(), await accessOf(runtime(), shop, await makeMember(runtime(), shop, 'collector')))).toBeNull();
  });

  test('with an invalid name, colour, number or picture, and then nothing is changed', async () => {
    for (const name of [
      ' ',
      'Duka\nla',
      'Duka\u2028la',
      '\u3164',
      'Duka\u202ela',
      'Duka: https://evil.example/login',
      'www.duka',
      'duka.co.tz',
      'a@b',
    ])
      expect(await changeSettings(runtime(), await owner(), { change: { name } })).toEqual({
        ok: false,
        error: 'name_wrong',
      });
    const brand = { colour: '#0a7', support: '0712345678', address: null };
    for (const [wrong, field] of [
      [{ colour: 'red' }, 'colour'],
      [{ support: '911' }, 'support'],
      [{ logo: Buffer.from('<svg/>') }, 'logo'],
    ] as const)
      expect(await changeBrandFromForm(runtime(), await owner(), { ...brand, ...wrong })).toMatchObject({ ok: false, error: { field } });
    expect(await entries('brand.changed')).toEqual([]);
    const many = Array.from({ length: 11 }, (_, at) => `a${at}@b.example`);
    const change = { notify: { webhooks: to(...many) } };
    expect(await changeSettings(runtime(), await owner(), { change })).toEqual({ ok: false, error: 'too_many_addresses' });
  });
});

test('a merchant may upload 20 pictures in an hour', async () => {
  const logo = Buffer.from('<svg/>');
  const upload = async () => changeBrandFromForm(runtime(), await owner(), { logo });
  for (let n = 0; n < 20; n += 1) expect(await upload()).toMatchObject({ error: { kind: 'no_picture' } });
  expect(await upload()).toMatchObject({ error: { field: 'logo', kind: 'too_often' } });
  expect(await changeBrandFromForm(runtime(), await owner(), { logo: null, colour: '#0a7' })).toMatchObject({ ok: true });
  runtime().advance(HOUR_MS);
  expect(await upload()).toMatchObject({ error: { kind: 'no_picture' } });
});

test('notices go to the chosen addresses, or to owners and admins if there are none', async () => {
  const admin = await makeMember(runtime(), shop, 'admin');
  await makeMember(runtime(), shop, 'viewer');
  const recipients = () => findRecipients(runtime().db, shop.merchant.id, 'webhooks');
  expect(await recipients()).toEqual({ slug: shop.merchant.slug, name: 'Duka', language: null, addresses: [shop.email, admin] });
  await changeSettings(runtime(), await owner(), {
    change: { notify: { webhooks: to('tech@example.com') }, language: 'en' },
  });
  expect(await recipients()).toMatchObject({ language: 'en', addresses: ['tech@example.com'] });
  await changeSettings(runtime(), await owner(), { change: { notify: { webhooks: to() } } });
  expect(await recipients()).toMatchObject({ addresses: [shop.email, admin] });
});

test('topics that are off have no recipients, the summary is off by default, and the addresses of a topic stay stored', async () => {
  const recipients = async (topic: 'webhooks' | 'summary') => (await findRecipients(runtime().db, shop.merchant.id, topic))?.addresses;
  const change = (notify: Partial<Notify>) => owner().then((access) => changeSettings(runtime(), access, { change: { notify } }));
  expect(await recipients('summary')).toEqual([]);
  await change({ webhooks: { on: false, addresses: ['tech@example.com'] }, summary: to() });
  expect([await recipients('webhooks'), await recipients('summary')]).toEqual([[], [shop.email]]);
  await change({ webhooks: to('tech@example.com') });
  expect([await recipients('webhooks'), await recipients('summary')]).toEqual([['tech@example.com'], [shop.email]]);
  expect(await entries('settings.changed')).toMatchObject([
    {
      data: {
        before: { notifyWebhooks: 'owners, admins', notifySummary: false },
        after: { notifyWebhooks: '(tech@example.com)', notifySummary: 'owners, admins' },
      },
    },
    { data: { before: { notifyWebhooks: '(tech@example.com)' }, after: { notifyWebhooks: 'tech@example.com' } } },
  ]);
});

test.each([
  [{}, { on: true, addresses: [] }],
  [null, { on: true, addresses: [] }],
  [{ webhooks: ['a@b.example'] }, to('a@b.example')],
  [{ webhooks: { on: false, addresses: ['a@b.example'] } }, { on: false, addresses: ['a@b.example'] }],
  [{ webhooks: 7 }, { on: true, addresses: [] }],
])('stored settings are read, also in older or invalid forms: %j', (stored, webhooks) => {
  expect(readNotify(stored)).toMatchObject({ webhooks, money: { on: true }, summary: { on: false, addresses: [] } });
});

test.each([
  ['', [], null],
  ['a@b.example', ['a@b.example'], null],
  [' a@b.example,\n c@d.example;a@b.example\r\n', ['a@b.example', 'c@d.example'], null],
  ['a@b.example nobody', ['a@b.example', 'nobody'], 'nobody'],
  ['asha@example', ['asha@example'], 'asha@example'],
])('the text %j is parsed as e-mail addresses', (text, addresses, wrong) => {
  expect(parseAddresses(text)).toEqual({ addresses, wrong });
});
