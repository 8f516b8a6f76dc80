import { expect, test } from 'vitest';
import { shareAddresses } from './share-addresses';

test('without a number, the sender chooses the receiver', () => {
  expect(shareAddresses('Lipa TZS\u00a05,000 & zaidi')).toEqual({
    sms: 'sms:?body=Lipa%20TZS%205%2C000%20%26%20zaidi',
    whatsapp: 'https://wa.me/?text=Lipa%20TZS%205%2C000%20%26%20zaidi',
  });
});

test("with a bill's number, SMS and WhatsApp open with it in its international form", () => {
  expect(shareAddresses('Lipa', '0712345001')).toEqual({
    sms: 'sms:+255712345001?body=Lipa',
    whatsapp: 'https://wa.me/255712345001?text=Lipa',
  });
});
