import { expect, test } from 'vitest';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { writeWorkbook } from '@/lib/platform/spreadsheets/write-workbook';
import { FILE_MAX_BYTES, ROWS_MAX, readBillFile } from './import-file';
import { checkRows } from './import-rules';
import { templateCsv, templateWorkbook } from './import-template';

const read = (text: string, encoding: BufferEncoding = 'utf8') => readBillFile(Buffer.from(text, encoding), 'merchant');

test.each([
  ['commas', 'amount,reference,mobile\n"12,500",A 1,0712345001\n'],
  ['semicolons, as Excel writes them here', 'Amount;Reference;Mobile\r\n12,500;A 1;0712345001\r\n'],
  ['tabs', 'amount\treference\tmobile\n12,500\tA 1\t0712345001'],
  ['Swahili', 'Kiasi;Kumbukumbu;Namba ya simu\n12,500;A 1;0712345001'],
  ['another order and a column of no use', 'Jina,Mobile,Kumbukumbu,Kiasi (TZS)\nAsha,0712345001,A 1,"12,500"'],
  ["Excel's own word for the separator", 'sep=;\r\namount;reference;mobile\r\n12,500;A 1;0712345001'],
  ['a byte order mark', '\ufeffamount;reference;mobile\n12,500;A 1;0712345001'],
])('a file with %s is accepted', async (_what, text) => {
  expect(await read(text)).toMatchObject({
    ok: true,
    value: { encoding: 'utf-8', rows: [{ number: 2, typed: { amount: '12,500', reference: 'A 1', mobile: '0712345001' } }] },
  });
});

test.each([
  'kiasi,kumbukumbu,Mteja,Maelezo,Mwisho wa kulipa',
  'amount,reference,customer_name,description,due_date',
  'Amount,Reference,Customer,Description,Due date',
])('the columns %s have the optional values', async (header) => {
  expect(await read(`${header}\n1,A,Asha,Ada,30/11/2026`)).toMatchObject({
    value: { ignored: [], rows: [{ typed: { customerName: 'Asha', description: 'Ada', dueDate: '30/11/2026' } }] },
  });
});

test('rows are numbered as in a spreadsheet, including blank ones', async () => {
  const file = await read('\namount,reference\n\n1,A\n,\n2,"B\nC"\n3,D\n');
  expect(file.ok && file.value.rows.map(({ number, typed }) => [number, typed.reference])).toEqual([
    [4, 'A'],
    [6, 'B\nC'],
    [7, 'D'],
  ]);
});

test.each([
  ['CRLF after the header only', 'amount,reference,note\r\n1,A,a\n2,B,b\n3,C,c\n'],
  ['CRLF at first, then LF', 'amount,reference,note\r\n1,A,a\r\n2,B,b\n3,C,c'],
  ['LF at first, then CRLF and CR', 'amount,reference,note\n1,A,a\r\n2,B,b\r3,C,c'],
])('a file whose lines end with %s is read whole', async (_what, text) => {
  const file = await read(text);
  expect(file.ok && file.value.rows.map(({ typed }) => typed.amount)).toEqual(['1', '2', '3']);
});

test('Windows-1252 and UTF-16 are decoded, and the encoding is reported', async () => {
  expect(
    await readBillFile(Buffer.from('amount,reference\n5,Caf\u00e9 \u20ac'.replace('\u20ac', '\u0080'), 'latin1'), 'merchant'),
  ).toMatchObject({
    value: { encoding: 'windows-1252', rows: [{ typed: { reference: 'Café €' } }] },
  });
  expect(await readBillFile(Buffer.from('\ufeffamount\treference\n5\tÉ', 'utf16le'), 'merchant')).toMatchObject({
    value: { encoding: 'utf-16', rows: [{ typed: { reference: 'É' } }] },
  });
});

test.each([
  ['', { kind: 'empty' }],
  ['\n\n', { kind: 'empty' }],
  ['amount,reference\n', { kind: 'empty' }],
  ['name,sum\nAsha,5', { kind: 'columns_missing', fields: ['amount', 'reference'] }],
  ['amount,mobile\n5,0712345001', { kind: 'columns_missing', fields: ['reference'] }],
  ['amount,kiasi,reference\n5,6,A', { kind: 'columns_twice', fields: ['amount'] }],
  ['amount,reference\n5,"A\n6,B', { kind: 'unreadable' }],
  ['amount,reference,note\n5,A,a\n5,SUR-1,a,6,SUR-2,b', { kind: 'surplus_cell', row: 3 }],
  ['amount,reference,,\n5,A,,\n5,SUR-1,6,SUR-2', { kind: 'surplus_cell', row: 3 }],
  ['\ufeffamount,reference\n5,\0', { kind: 'no_text' }],
  ['PK\u0003\u0004', { kind: 'no_text' }],
  ['amount,reference\n5,\0', { kind: 'no_text' }],
])('%j is rejected as a file of bills', async (text, problem) => {
  expect(await read(text)).toMatchObject({ ok: false, error: problem });
});

test('a file with too many lines is rejected, whether they are bills or blank', async () => {
  expect(await read(`amount,reference\n${'1,A\n'.repeat(ROWS_MAX)}`)).toMatchObject({ ok: true });
  expect(await read(`amount,reference\n${'1,A\n'.repeat(ROWS_MAX + 1)}`)).toMatchObject({ error: { kind: 'too_many_rows' } });
  expect(await read(`amount,reference\n1,A\n${',\n'.repeat(3 * ROWS_MAX)}1,A`)).toMatchObject({ error: { kind: 'too_many_rows' } });
  expect(await read('x'.repeat(FILE_MAX_BYTES + 1))).toMatchObject({ error: { kind: 'too_large' } });
});

test('every invalid cell is reported, and a reference used twice is a warning, or an error if references must be unique', async () => {
  const file = await read('amount,reference,mobile\nx,,12\n5,A,\n6,A,\n7,B,712345001');
  if (!file.ok) throw new Error(file.error.kind);
  const check = (uniqueReferences: boolean) => checkRows(file.value.rows, { maxShillings: 1_000, uniqueReferences, used: new Set(['B']) });
  expect(await check(false)).toMatchObject([
    {
      number: 2,
      amount: null,
      reference: null,
      mobile: null,
      problems: [
        { field: 'amount', level: 'error', code: 'amount_not_number', read: 'x' },
        { field: 'reference', level: 'error', code: 'reference_required', read: '' },
        { field: 'mobile', level: 'error', code: 'mobile_invalid', read: '12' },
      ],
    },
    { number: 3, amount: 500n, reference: 'A', mobile: null, problems: [] },
    {
      number: 4,
      amount: 600n,
      reference: 'A',
      mobile: null,
      problems: [{ field: 'reference', level: 'warning', code: 'reference_twice', read: 'A', row: 3 }],
    },
    {
      number: 5,
      amount: 700n,
      reference: 'B',
      mobile: '0712345001',
      problems: [{ field: 'reference', level: 'warning', code: 'reference_used', read: 'B' }],
    },
  ]);
  expect((await check(true)).map(({ problems }) => problems.at(-1)?.level)).toEqual(['error', undefined, 'error', 'error']);
});

test('a row with an error contains the valid cells', async () => {
  const file = await read('amount,reference,mobile\nx,A,712345001\n5,,12');
  if (!file.ok) throw new Error(file.error.kind);
  expect(await checkRows(file.value.rows, { maxShillings: 1_000, uniqueReferences: false, used: new Set() })).toMatchObject([
    { amount: null, reference: 'A', mobile: '0712345001' },
    { amount: 500n, reference: null, mobile: null },
  ]);
});

test.each(['1.23457E+11', '9e+12', '1,5E+15'])('the reference %s, which a spreadsheet has changed, is an error', async (reference) => {
  const file = await read(`amount;reference\n5;${reference}\n5;5E12`);
  if (!file.ok) throw new Error(file.error.kind);
  expect(await checkRows(file.value.rows, { maxShillings: 1_000, uniqueReferences: false, used: new Set() })).toMatchObject([
    { problems: [{ field: 'reference', level: 'error', code: 'reference_changed' }] },
    { reference: '5E12', problems: [] },
  ]);
});

test('a large file is parsed in pieces, between which other work runs', async () => {
  const text = `amount,reference,customer name\n${'1,A,"Ñandú 😀\nB"\n'.repeat(ROWS_MAX)}`;
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const file = await read(text);
  if (!file.ok) throw new Error(file.error.kind);
  expect(new Set(file.value.rows.map(({ typed }) => typed.customerName))).toEqual(new Set(['Ñandú 😀\nB']));
  const parsed = turns;
  await checkRows(file.value.rows, { maxShillings: 1_000, uniqueReferences: false, used: new Set() });
  clearInterval(count);
  expect(parsed).toBeGreaterThan(0);
  expect(turns).toBeGreaterThan(parsed);
});

test('cells copied from a sheet are read', async () => {
  expect(await read('kiasi\tkumbukumbu\ttarehe\tmwisho wa kulipa\n12,500\tAda, muhula 1\tx\t26 Novemba 2026\n')).toMatchObject({
    value: { rows: [{ number: 2, typed: { amount: '12,500', reference: 'Ada, muhula 1', dueDate: '26 Novemba 2026' } }] },
  });
});

test.each(LOCALES)('the template in %s has known columns only, as a workbook and as CSV', async (locale) => {
  const parts: Uint8Array[] = [];
  for await (const part of templateWorkbook(locale, new Date('2026-11-26T09:00:00Z'))) parts.push(part);
  for (const file of [Buffer.concat(parts), Buffer.from(templateCsv(locale))]) {
    expect(await readBillFile(file, 'merchant')).toEqual({ ok: false, error: { kind: 'empty' } });
  }
  const filled = `${templateCsv(locale)}5,A,0712345678,Asha,Ada,30/11/2026`;
  expect(await read(filled)).toMatchObject({
    value: {
      ignored: [],
      rows: [
        { typed: { amount: '5', reference: 'A', mobile: '0712345678', customerName: 'Asha', description: 'Ada', dueDate: '30/11/2026' } },
      ],
    },
  });
});

test('a workbook is read like CSV, and its encoding is not in doubt', async () => {
  async function* rows() {
    yield [['12,500', 'A 1', '0712345001']];
  }
  const parts: Uint8Array[] = [];
  const content = { name: 'Bili', head: ['kiasi', 'kumbukumbu', 'simu'], widths: [9, 9, 9], summed: [false, false, false], totalLabel: '' };
  for await (const part of writeWorkbook({ ...content, rows: rows(), modified: new Date(0) })) parts.push(part);
  expect(await readBillFile(Buffer.concat(parts), 'merchant')).toMatchObject({
    value: { encoding: 'xlsx', rows: [{ number: 2, typed: { amount: '12,500', reference: 'A 1', mobile: '0712345001' } }] },
  });
});
