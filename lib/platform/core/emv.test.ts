import { expect, test } from 'vitest';
import { checkQr, formatQr, readQr } from './emv';

const AMOUNT = 500_000n;
const ours = (amount: bigint | null = AMOUNT, merchantName = 'Duka la Mfano') =>
  formatQr({ acquirer: '999', account: '12345678', merchantName, reference: '12345678', amount });

/** A code from the specification of EMVCo (merchant-presented mode, version 1.1), which asks for Chinese yuan. */
const SAMPLE =
  '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A';

test('reads the amount, the currency, the country, the name and the reference', () => {
  const fields = { currency: '834', country: 'TZ', merchantName: 'Duka la Mfano', reference: '12345678' };
  expect(readQr(ours())).toEqual({ ...fields, amount: AMOUNT });
  expect(readQr(ours(null))).toEqual({ ...fields, amount: null });
});

test('the checksum is that of the specification, and its amount is in another currency', () => {
  expect(checkQr(SAMPLE, 2_372n)).toBe('currency');
  expect(checkQr(SAMPLE.replace('23.72', '23.73'), 2_373n)).toBe('checksum');
});

test('an amount must be that of the bill; without one, the customer types it', () => {
  expect(checkQr(ours(), AMOUNT)).toBeNull();
  expect(checkQr(ours(null), AMOUNT)).toBeNull();
  expect(checkQr(ours(), AMOUNT + 100n)).toBe('amount');
});

test('each changed character is noticed', () => {
  const text = ours();
  for (let at = 0; at < text.length; at += 1) {
    const changed = text.slice(0, at) + (text[at] === '7' ? '8' : '7') + text.slice(at + 1);
    expect(checkQr(changed, AMOUNT), changed).not.toBeNull();
  }
});

test('refuses texts that are not such codes', () => {
  for (const text of ['', '0002', '000201', 'https://example.com/', '000201\u0000', `${ours()}0`, ours().slice(0, -1), 'x'.repeat(1_000)])
    expect(checkQr(text, AMOUNT), text).toBe('unreadable');
});

test('a name keeps the letters that all scanners read', () => {
  expect(readQr(ours(AMOUNT, 'Café Zürich 最佳运输 with a very long name'))).toMatchObject({ merchantName: 'Cafe Zurich with a very l' });
  expect(readQr(ours(AMOUNT, '最佳'))).toMatchObject({ amount: AMOUNT });
});
