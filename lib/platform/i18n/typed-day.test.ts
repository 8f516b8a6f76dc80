import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDay } from './format';
import { LOCALES } from './locale';
import { dayInWords, readDay, writeDay } from './typed-day';

const TODAY = '2026-11-26';
const day = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('a day as people write it', () => {
  test.each([
    ['2026-11-26', '2026-11-26'],
    ['26/11/2026', '2026-11-26'],
    ['26-11-26', '2026-11-26'],
    [' 26 . 11 . 2026 ', '2026-11-26'],
    ['26112026', '2026-11-26'],
    ['261126', '2026-11-26'],
    ['26 Nov 2026', '2026-11-26'],
    ['26 novemba', '2026-11-26'],
    ['Alhamisi, 26 Novemba 2026', '2026-11-26'],
    ['1/2', '2027-02-01'],
    ['30/6', '2026-06-30'],
    ['28 Mei', '2026-05-28'],
    ['27 Mei', '2027-05-27'],
    ['3 Mac 2026', '2026-03-03'],
    ['3 Sept 2026', '2026-09-03'],
    ['11/12', '2026-12-11'],
    ['11/12/2026', '2026-12-11'],
  ])('%j is %s', (text, iso) => {
    expect(readDay(text, TODAY)).toBe(iso);
  });

  test.each([
    '',
    '26',
    '11/26/2026',
    'Nov 26 2026',
    '31/11/2026',
    '29/2',
    '29/2/2026',
    '26/11/026',
    '26/Ju/2026',
    '26 J 2026',
    '20261126',
    'Alhamisi',
    '26//',
    '1/2/3/4',
    '26 Nov 2026 14:00',
    'x'.repeat(50),
  ])('%j is no date', (text) => {
    expect(readDay(text, TODAY)).toBeNull();
  });

  test('without the present day, a date needs its year', () => {
    expect(['26/11', '26 Novemba', '26/11/26'].map((text) => readDay(text))).toEqual([null, null, '2026-11-26']);
  });

  test('every form in which Bili writes a day is read as that day', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...LOCALES), (iso, locale) => {
        const forms = [iso, writeDay(iso), dayInWords(iso, locale), formatDay(new Date(`${iso}T09:00:00Z`), locale)];
        expect(forms.map((form) => readDay(form))).toEqual(forms.map(() => iso));
        expect(readDay(writeDay(iso).replaceAll('/', ''))).toBe(iso);
      }),
    );
  });

  test('the first of two numbers is never the month', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom('/', '-', '.', ' '),
        (one, two, mark) => {
          const read = readDay([one, two, 2026].join(mark), TODAY);
          if (read !== null) expect(read).toBe(`2026-${`${two}`.padStart(2, '0')}-${`${one}`.padStart(2, '0')}`);
        },
      ),
    );
  });
});
