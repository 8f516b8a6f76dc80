import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '@/lib/platform/core/clock';
import { EMPTY_KEY_FORM } from './empty-form';
import { type KeyFormValues, parseKeyForm } from './key-form';
import { isAllowedFrom, parseNetworks } from './network-rules';
import { isKeyId, isMistyped, makeKeyPair } from './rules';

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

describe('networks', () => {
  test.each([
    ['', []],
    ['41.59.10.7', ['41.59.10.7']],
    ['41.59.10.7/16, 41.59.10.7\n 41.59.1.1/16', ['41.59.0.0/16', '41.59.10.7']],
    ['2001:DB8::1 2001:db8:1::/48', ['2001:db8::1', '2001:db8:1::/48']],
    ['::ffff:41.59.10.7', ['41.59.10.7']],
  ])('%j is stored as %j', (text, networks) => {
    expect(parseNetworks(text)).toEqual({ ok: true, value: networks });
  });

  test.each([
    '41.59',
    '0x7f000001',
    '41.59.10.7/33',
    '41.59.10.7/',
    '41.59.10.7/8/8',
    '::/129',
    'fe80::1%eth0',
    '::ffff:41.59.10.7/96',
    'shop.example.com',
  ])('%s is not accepted as a network', (text) => {
    expect(parseNetworks(text)).toMatchObject({ ok: false, error: { code: 'not_a_network', text } });
  });

  test('more than 50 networks are refused', () => {
    const text = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`).join(' ');
    expect(parseNetworks(text)).toMatchObject({ ok: false, error: { code: 'too_many_networks' } });
  });

  test('a text that is far too long is refused before it is split', () => {
    expect(parseNetworks('10.0.0.1 '.repeat(50_000))).toMatchObject({ ok: false, error: { code: 'too_many_networks' } });
    expect(parseNetworks('10.0.0.1 '.repeat(50))).toEqual({ ok: true, value: ['10.0.0.1'] });
  });

  test.each([
    [[], null, true],
    [['41.59.0.0/16'], '41.59.255.1', true],
    [['41.59.0.0/16'], '41.60.0.1', false],
    [['41.59.10.7'], '41.59.10.7', true],
    [['41.59.10.7'], '::ffff:41.59.10.7', true],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '41.59.10.7', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['41.59.10.7'], null, false],
    [['41.59.10.7'], 'rubbish', false],
  ] as const)('with the networks %j, a request from %s is allowed: %s', (networks, address, allowed) => {
    expect(isAllowedFrom(networks, address)).toBe(allowed);
  });
});

describe('form values of a key', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const plain: KeyFormValues = { ...EMPTY_KEY_FORM, label: 'Till' };

  test.each([
    [{ expiry: '90' }, { expiresAt: new Date(now.getTime() + 90 * DAY_MS) }],
    [{ expiry: 'date', expiryDay: '2026-12-24' }, { expiresAt: new Date('2026-12-24T21:00:00Z') }],
    [{ expiry: 'date', expiryDay: '2026-11-21' }, { expiresAt: new Date('2026-11-21T21:00:00Z') }],
    [{ billMax: ' 1 000.5 ' }, { billMax: 100_050n }],
    [{ label: ' Web\u0000shop ' }, { label: 'Web shop' }],
  ])('%j are accepted', (values, stored) => {
    expect(parseKeyForm({ ...plain, ...values }, now)).toMatchObject({ ok: true, value: stored });
  });

  test.each([
    [{ label: ' ' }, 'label', 'label_required'],
    [{ label: 'x'.repeat(61) }, 'label', 'label_too_long'],
    [{ expiry: '31' }, 'expiryDay', 'expiry_invalid'],
    [{ expiry: 'date', expiryDay: '2026-02-30' }, 'expiryDay', 'expiry_invalid'],
    [{ expiry: 'date', expiryDay: '2026-11-20' }, 'expiryDay', 'expiry_past'],
    [{ scopes: '' }, 'scopes', 'scope_required'],
    [{ scopes: 'read everything' }, 'scopes', 'scope_required'],
    [{ billMax: '-5' }, 'billMax', 'limit_invalid'],
    [{ billMax: '1e9' }, 'billMax', 'limit_invalid'],
    [{ dayMax: '0' }, 'dayMax', 'limit_invalid'],
    [{ dayMax: '99999999999999999999' }, 'dayMax', 'limit_invalid'],
    [{ billMax: '10', dayMax: '9' }, 'dayMax', 'day_below_bill'],
  ])('%j are refused', (values, field, code) => {
    expect(parseKeyForm({ ...plain, ...values }, now)).toMatchObject({ ok: false, error: { field, code } });
  });
});

describe('the pattern for secret scanners', () => {
  const page = readFileSync('docs/site/en/going-live.md', 'utf8');
  const block = (language: string, start: string) => page.split(`\`\`\`${language}\n${start}`)[1]?.split('\n```')[0] ?? '';
  const pattern = new RegExp(`\\bbili_${block('text', '\\bbili_')}`, 'g');

  test.each(['live', 'sandbox'] as const)('finds the id and the secret of a %s key, and nothing else', (environment) => {
    const { id, secret } = makeKeyPair(environment, random);
    expect(`KEY=${id}\nurl("${secret}")`.match(pattern)).toEqual([id, secret]);
    expect(`${id}x bili_live_key_short`.match(pattern)).toBeNull();
  });

  test('is published with a check that agrees with our own', async () => {
    const { isBiliKey } = await import(`data:text/javascript,import${encodeURIComponent(block('js', 'import'))}`);
    for (let i = 0; i < 50; i += 1) {
      const { id, secret } = makeKeyPair('live', random);
      for (const text of [id, secret]) {
        const wrong = text.slice(0, 20) + (text[20] === 'A' ? 'B' : 'A') + text.slice(21);
        expect([isBiliKey(text), isMistyped(text), isBiliKey(wrong), isMistyped(wrong)]).toEqual([true, false, false, true]);
      }
      expect(isKeyId(id)).toBe(true);
    }
  });
});
