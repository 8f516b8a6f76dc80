import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readWorkbook } from './read-workbook';
import { timeCell } from './sheet-xml';
import { writeWorkbook } from './write-workbook';

const LIMITS = { subject: 'merchant', rows: 100, columns: 10 };
const MODIFIED = new Date('2026-11-23T12:00:00Z');

/** Returns an archive with these files. */
async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path, { mtime: MODIFIED });
  archive.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive.outputStream) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const workbook = (sheets: string, properties = '') =>
  `<workbook xmlns:r="r"><workbookPr ${properties}/><sheets>${sheets}</sheets></workbook>`;
const relations = (targets: readonly string[]) =>
  `<Relationships>${targets.map((target, index) => `<Relationship Id="rId${index + 1}" Target="${target}"/>`).join('')}</Relationships>`;

/** The parts of a workbook with one sheet. */
function parts(rows: string): Record<string, string | Buffer> {
  return {
    'xl/workbook.xml': workbook('<sheet name="A" r:id="rId1"/>'),
    'xl/_rels/workbook.xml.rels': relations(['worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': sheet(rows),
  };
}

const read = async (files: Record<string, string | Buffer>) => readWorkbook(await zip(files), LIMITS);
const rowsOf = async (files: Record<string, string | Buffer>) => {
  const result = await read(files);
  return result.ok ? result.value : result.error;
};

describe('cells', () => {
  test('texts, numbers, formulas and errors are read as they are shown', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c></row>' +
      '<row r="3"><c r="A3"><f>1+1</f><v>0.30000000000000004</v></c><c r="B3"><v>1.25E4</v></c><c r="C3" t="str"><f>A1</f><v>x &amp; y</v></c>' +
      '<c r="D3" t="e"><v>#REF!</v></c><c r="E3" t="b"><v>1</v></c><c r="F3"><v>255712345678</v></c><c r="G3"><v>12345678901234567</v></c></row>';
    const files = {
      ...parts(rows),
      'xl/sharedStrings.xml':
        '<sst><si><t>Kiasi_x000A_TZS</t></si><si><r><t>Kumbu</t></r><r><t>kumbu</t></r><rPh><t>?</t></rPh></si></sst>',
    };
    expect(await rowsOf(files)).toEqual([
      ['Kiasi\nTZS', 'Kumbukumbu', '', 'ab'],
      [],
      ['0.3', '12500', 'x & y', '#REF!', 'TRUE', '255712345678', '1.23457E+16'],
    ]);
  });

  test('dates are read as days, by their formats and the calendar of the workbook', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d\\ mmm\\ yyyy"/><numFmt numFmtId="165" formatCode="[Red]#,##0&quot; day&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
    const rows = '<row><c s="0"><v>46352</v></c><c s="1"><v>46352.75</v></c><c s="2"><v>46352</v></c><c s="3"><v>46352</v></c></row>';
    const files = { ...parts(rows), 'xl/styles.xml': styles };
    expect(await rowsOf(files)).toEqual([['46352', '2026-11-26', '2026-11-26', '46352']]);
    const since1904 = { ...files, 'xl/workbook.xml': workbook('<sheet r:id="rId1"/>', 'date1904="1"') };
    expect(await rowsOf(since1904)).toEqual([['46352', '2030-11-27', '2030-11-27', '46352']]);
  });

  test('the first sheet that is not hidden is read, at the place that the workbook names', async () => {
    const files = {
      ...parts('<row><c><v>1</v></c></row>'),
      'xl/workbook.xml': workbook('<sheet state="hidden" r:id="rId1"/><sheet r:id="rId2"/>'),
      'xl/_rels/workbook.xml.rels': relations(['worksheets/sheet1.xml', '/xl/other.xml']),
      'xl/other.xml': sheet('<row><c><v>2</v></c></row>'),
    };
    expect(await rowsOf(files)).toEqual([['2']]);
  });

  test('what Bili writes is read again', async () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => !/[\p{Cc}\ufffe\uffff]/u.test(one));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, fc.integer({ min: 1, max: 1e9 })), { minLength: 1, maxLength: 20 }), async (rows) => {
        async function* batches() {
          yield rows.map(([name, amount]) => [
            name,
            { number: `${amount}.50`, format: 'money' } as const,
            timeCell(Date.UTC(2026, 10, 26), 'day'),
          ]);
        }
        const chunks: Uint8Array[] = [];
        const content = { name: 'Bili', head: ['a', 'b', 'c'], widths: [9, 9, 9], summed: [false, false, false], totalLabel: '' };
        for await (const chunk of writeWorkbook({ ...content, rows: batches(), modified: MODIFIED })) chunks.push(chunk);
        const result = await readWorkbook(Buffer.concat(chunks), LIMITS);
        expect(result).toEqual({
          ok: true,
          value: [['a', 'b', 'c'], ...rows.map(([name, amount]) => [name, `${amount}.5`, '2026-11-26'])],
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('a hostile file', () => {
  const good = parts('<row><c><v>1</v></c></row>');

  test('an archive that unpacks to gigabytes is not unpacked', async () => {
    const bomb = Buffer.alloc(20 * 1024 * 1024, ' ');
    const packed = await zip({ ...good, 'xl/worksheets/sheet1.xml': bomb });
    expect(packed.length).toBeLessThan(50_000);
    expect(await readWorkbook(packed, LIMITS)).toEqual({ ok: false, error: 'unpacked_too_large' });
    for (const path of ['xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml']) {
      expect(await rowsOf({ ...good, [path]: bomb })).toBe('unpacked_too_large');
    }
  });

  test('an archive that hides the size of a file is not unpacked further', async () => {
    const bomb = Buffer.alloc(4 * 1024 * 1024, ' ');
    const packed = await zip({ ...good, 'xl/worksheets/sheet1.xml': bomb });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bomb.length);
    for (let at = packed.indexOf(size); at !== -1; at = packed.indexOf(size, at + 1)) packed.writeUInt32LE(10, at);
    expect(await readWorkbook(packed, LIMITS)).toEqual({ ok: false, error: 'no_workbook' });
  });

  test('entities are not expanded', async () => {
    const entities = '<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;">]>';
    expect(await rowsOf({ ...good, 'xl/worksheets/sheet1.xml': `${entities}${sheet('<row><c t="str"><v>&c;</v></c></row>')}` })).toBe(
      'no_workbook',
    );
    expect(await rowsOf(parts('<row><c t="str"><v>&c;</v></c></row>'))).toBe('no_workbook');
  });

  test('huge sheets are refused or cut', async () => {
    expect(await rowsOf(parts('<row r="1048576"><c><v>1</v></c></row>'))).toBe('too_many_rows');
    expect(await rowsOf(parts('<row/>'.repeat(101)))).toBe('too_many_rows');
    expect(await rowsOf(parts('<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))).toEqual([['1']]);
  });

  test.each([
    ['rows out of order', '<row r="2"/><row r="1"/>'],
    ['a row without a number', '<row r="x"/>'],
    ['a cell without a column', '<row><c r="7"><v>1</v></c></row>'],
    ['broken XML', '<row><c>'],
  ])('%s', async (_, rows) => {
    expect(await rowsOf(parts(rows))).toBe('no_workbook');
  });

  test('parts that are missing or no XML', async () => {
    expect(await rowsOf({ 'word/document.xml': '<a/>' })).toBe('no_workbook');
    expect(await rowsOf({ ...good, 'xl/worksheets/sheet1.xml': Buffer.from([0xff, 0xfe, 0x3c]) })).toBe('no_workbook');
    expect(await rowsOf({ ...good, 'xl/_rels/workbook.xml.rels': relations(['../../etc/passwd']) })).toBe('no_workbook');
  });

  test('no damage makes the reader fail', async () => {
    const whole = await zip(good);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), fc.boolean(), async (at, byte, cut) => {
        const damaged = cut ? whole.subarray(0, at) : Buffer.from(whole).fill(byte, at, at + 1);
        const result = await readWorkbook(damaged, LIMITS);
        if (!result.ok) expect(['no_workbook', 'unpacked_too_large', 'too_many_rows']).toContain(result.error);
      }),
      { numRuns: 300 },
    );
  });
});
