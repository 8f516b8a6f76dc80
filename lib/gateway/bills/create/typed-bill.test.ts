import { expect, test } from 'vitest';
import { dueAtOfDay } from '@/lib/gateway/bills/bill-info';
import { infoOf, readTypedInfo } from './typed-bill';

test.each(['2026-11-30', '30/11/2026', '30-11-2026', '30.11.2026', ' 30 11 2026 '])('the due date %j is 30 November', (dueDate) => {
  expect(infoOf(readTypedInfo({ dueDate }))).toEqual({ customerName: null, description: null, dueAt: dueAtOfDay('2026-11-30') });
});

test.each(['1/2/2026', '01/02/2026'])('in %j the day is before the month', (dueDate) => {
  expect(infoOf(readTypedInfo({ dueDate }))?.dueAt).toEqual(dueAtOfDay('2026-02-01'));
});

test.each(['11/30/2026', '30/11/026', '2026-11-31', '46356', 'kesho', '30/11/1999'])('the due date %j is invalid', (dueDate) => {
  expect(readTypedInfo({ dueDate }).dueDate).toEqual({ ok: false, error: { code: 'due_date_invalid' } });
});

test('line breaks in a text become spaces, and a text of spaces is empty', () => {
  expect(infoOf(readTypedInfo({ customerName: ' Asha\r\nJuma\t', description: ' \n ' }))).toMatchObject({
    customerName: 'Asha Juma',
    description: null,
  });
  expect(infoOf(readTypedInfo({ description: ' \n ' }))).toBeNull();
});
