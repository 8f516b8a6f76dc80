import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCommand } from '@/testing/command';
import { pngBomb } from '@/testing/pictures';
import { makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
const { bili, json } = testCommand(runtime);
let folder: string;
let shop: TestMerchant;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-brand-'));
  shop = await makeMerchant(runtime(), 'Duka la Rangi');
  const picture = sharp({ create: { width: 300, height: 100, channels: 4, background: '#0a7' } });
  await writeFile(join(folder, 'logo.png'), await picture.png().toBuffer());
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'bomb.png'), pngBomb(20_000, 20_000));
  await writeFile(join(folder, 'large.png'), Buffer.concat([await picture.png().toBuffer(), Buffer.alloc(3_000_000)]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const brand = (...args: readonly string[]) => ['merchant', 'brand', '--merchant', shop.merchant.slug, ...args];
const entries = (action: string) =>
  runtime().db.query({ text: 'SELECT actor, environment, data FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY at, id' }, [
    shop.merchant.id,
    action,
  ]);

test("an operator sets, changes and removes a merchant's brand, with audit entries", async () => {
  const nothing = { brandColour: null, supportNumber: null, logoHash: null, logoWidth: null, logoHeight: null };
  expect(await json(...brand())).toEqual({ merchant: 'duka-la-rangi', ...nothing });
  expect(await bili(...brand())).toEqual({
    code: 0,
    stdout: "Duka la Rangi shows no logo, Bili's colours, no support number.\n",
    stderr: '',
  });
  const whole = await json(...brand('--colour', '#0A7', '--support', '+255 22 212 3456', '--logo', join(folder, 'logo.png')));
  const face = { brandColour: '#00aa77', supportNumber: '0222123456', logoHash: expect.any(String), logoWidth: 144, logoHeight: 48 };
  expect(whole).toEqual({ merchant: 'duka-la-rangi', ...face });
  expect((await bili(...brand('--colour', 'none', '--support', '0712345678'))).stdout).toBe(
    "Duka la Rangi shows a logo of 144 × 48, Bili's colours, the support number 0712\u00a0345\u00a0678.\n",
  );
  expect(await json(...brand('--support', 'none', '--remove-logo'))).toEqual({ merchant: 'duka-la-rangi', ...nothing });
  const logoHash = expect.stringMatching(/^[\da-f]{64}$/);
  expect(await entries('brand.changed')).toEqual(
    [
      {
        before: { brandColour: null, supportNumber: null, logoHash: null },
        after: { brandColour: '#00aa77', supportNumber: '0222123456', logoHash },
      },
      { before: { brandColour: '#00aa77', supportNumber: '0222123456' }, after: { brandColour: null, supportNumber: '0712345678' } },
      { before: { supportNumber: '0712345678', logoHash }, after: { supportNumber: null, logoHash: null } },
    ].map((data) => ({ actor: 'operator:test', environment: null, data })),
  );
});

test('part payments are allowed per environment', async () => {
  const part = ['merchant', 'partial-payments', '--merchant', shop.merchant.slug, '--environment', 'sandbox'];
  const allowed = () =>
    runtime().db.query({ text: 'SELECT environment FROM merchant_profile WHERE merchant_id = $1 AND partial_payments' }, [
      shop.merchant.id,
    ]);
  expect(await allowed()).toEqual([]);
  expect(await json(...part, '--on')).toEqual({ merchant: 'duka-la-rangi', environment: 'sandbox', partialPayments: true });
  expect(await allowed()).toEqual([{ environment: 'sandbox' }]);
  expect(await bili(...part, '--off')).toEqual({
    code: 0,
    stdout: 'Customers of Duka la Rangi must pay the whole bill on the payment page in sandbox.\n',
    stderr: '',
  });
  expect(await allowed()).toEqual([]);
  expect(await entries('profile.changed')).toEqual(
    [true, false].map((partialPayments) => ({
      actor: 'operator:test',
      environment: 'sandbox',
      data: { before: { partialPayments: !partialPayments }, after: { partialPayments } },
    })),
  );
  for (const wrong of [part, [...part, '--on', '--off']]) {
    const { code, stderr } = await bili(...wrong);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  }
});

test.each([
  ['logo.svg', 'the file is not a PNG, JPEG, WebP or GIF.'],
  ['bomb.png', 'the picture has 20000 × 20000 pixels. The maximum is 16 million pixels.'],
  ['large.png', 'the picture is larger than 2 MB.'],
  ['none.png', 'no such file'],
])('%s is refused with one sentence and changes nothing', async (file, sentence) => {
  const { code, stdout, stderr } = await bili(...brand('--colour', '#123456', '--logo', join(folder, file)));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await json(...brand())).toMatchObject({ brandColour: null });
});

test.each([
  [['--colour', 'red;}'], 'It must be a colour like'],
  [['--colour', ''], 'It must be a colour like'],
  [['--support', '12345'], 'It must be a mobile or landline number'],
  [['--logo', 'a.png', '--remove-logo'], 'cannot be used with'],
])('%j exits with 2 and one sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await bili(...brand(...args));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('the database itself refuses invalid colours, numbers and logos', async () => {
  const write = (column: string, value: unknown) =>
    runtime().db.query({ text: `UPDATE merchant SET ${column} = $2 WHERE id = $1` }, [shop.merchant.id, value]);
  await expect(write('brand_colour', 'red;}')).rejects.toThrow('merchant_brand_colour_check');
  await expect(write('support_number', '112')).rejects.toThrow('merchant_support_number_check');
  await expect(write('logo', Buffer.alloc(3_073))).rejects.toThrow('merchant_logo');
  await expect(write('logo_type', 'image/svg+xml')).rejects.toThrow('merchant_logo');
});
