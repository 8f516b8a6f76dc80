import { expect, test } from 'vitest';
import { sheetRows, unzip } from '@/testing/data/read-workbook';
import { columnName, escapeText, type SheetCell, timeCell } from './sheet-xml';
import { type WorkbookContent, writeWorkbook } from './write-workbook';

async function* batches(...rows: (readonly (readonly SheetCell[])[])[]) {
  yield* rows;
}

const CONTENT: Omit<WorkbookContent, 'rows'> = {
  name: 'Bills',
  head: ['Reference', 'Amount'],
  widths: [20, 12],
  summed: [false, true],
  totalLabel: 'Total',
  modified: new Date('2026-11-23T12:00:00Z'),
};
const money = (number: string): SheetCell => ({ number, format: 'money' });

async function write(content: Partial<WorkbookContent>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWorkbook({ ...CONTENT, rows: batches(), ...content })) chunks.push(chunk);
  return unzip(Buffer.concat(chunks));
}
const rowsOf = (files: ReadonlyMap<string, string>, sheet = 1) => sheetRows(files.get(`xl/worksheets/sheet${sheet}.xml`) ?? '');

test('a workbook has texts that stay texts, numbers, and exact sums', async () => {
  const files = await write({
    rows: batches(
      [['0712345678', money('0.10')]],
      [
        ['=1+1', money('99999999999999.97')],
        [null, money('0.20')],
      ],
    ),
  });
  expect(rowsOf(files)).toEqual([
    ['"Reference"', '"Amount"'],
    ['"0712345678"', '0.10'],
    ['"=1+1"', '99999999999999.97'],
    ['', '0.20'],
    ['"Total"', '=SUBTOTAL(9,B2:B4) 100000000000000.27'],
  ]);
  // Style 1 is the text format, under which a spreadsheet does not evaluate a cell that somebody edits.
  expect(files.get('xl/worksheets/sheet1.xml')).toContain('<c t="inlineStr" s="1"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(files.get('xl/styles.xml')).toMatch(/<cellXfs count="9"><xf numFmtId="0"[^>]*><xf numFmtId="49" /);
  expect([...files.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
});

test('rows that do not fit into a sheet continue in the next one', async () => {
  const rows = [1, 2, 3, 4, 5].map((number) => [`${number}`, money(`${number}.00`)] as const);
  const files = await write({ rows: batches(rows.slice(0, 3), rows.slice(3)), rowsMax: 2 });
  expect([1, 2, 3].map((sheet) => rowsOf(files, sheet).slice(1))).toEqual([
    [
      ['"1"', '1.00'],
      ['"2"', '2.00'],
      ['"Total"', '=SUBTOTAL(9,B2:B3) 3.00'],
    ],
    [
      ['"3"', '3.00'],
      ['"4"', '4.00'],
      ['"Total"', '=SUBTOTAL(9,B2:B3) 7.00'],
    ],
    [
      ['"5"', '5.00'],
      ['"Total"', '=SUBTOTAL(9,B2:B2) 5.00'],
    ],
  ]);
  expect(files.get('xl/workbook.xml')).toContain('<sheet name="Bills 3" sheetId="3" r:id="rId3"/>');
});

test('a workbook without rows has its header', async () => {
  expect(rowsOf(await write({}))).toEqual([['"Reference"', '"Amount"']]);
});

test('an error of the rows becomes an error of the workbook', async () => {
  async function* broken() {
    yield [['A', money('1.00')]];
    throw new Error('no permission');
  }
  await expect(write({ rows: broken() })).rejects.toThrow('no permission');
});

test('a reader that stops early also stops the reading of rows', async () => {
  let [read, closed] = [0, false];
  async function* endless() {
    try {
      for (;;) {
        read += 1;
        yield Array.from({ length: 1000 }, (_, index) => [`${index * 7919 * read}`, money('1.00')]);
      }
    } finally {
      closed = true;
    }
  }
  const parts = writeWorkbook({ ...CONTENT, rows: endless() });
  let bytes = 0;
  while (bytes < 100_000) bytes += (await parts.next()).value?.length ?? 0;
  await parts.return();
  expect(closed).toBe(true);
  // The workbook reads only a few more batches of rows than its reader needs.
  expect(read).toBeLessThan(200);
});

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %i is %s', (index, name) => {
  expect(columnName(index)).toBe(name);
});

test.each([
  ['<b>&"', '&lt;b&gt;&amp;"'],
  ['a_b _x0041_ _X0041_ _x1', 'a_b _x005F_x0041_ _x005F_X0041_ _x1'],
  ['a\u0000b\uffffc', 'a\ufffdb\ufffdc'],
  ['🧾 ñ', '🧾 ñ'],
])('the text %j becomes %j', (text, xml) => {
  expect(escapeText(text)).toBe(xml);
});

test('a time and a day have the numbers of a spreadsheet', () => {
  const noon = Date.UTC(2026, 10, 23, 12);
  expect(timeCell(noon, 'time')).toEqual({ number: '46349.5', format: 'time' });
  expect(timeCell(noon, 'day')).toEqual({ number: '46349', format: 'day' });
});
