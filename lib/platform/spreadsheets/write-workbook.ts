import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { DATA_ROWS_MAX, rowXml, type SheetCell, sheetEnd, sheetStart } from './sheet-xml';

export interface WorkbookContent {
  /** The name of the sheets. Each sheet but the first has a number after it. Letters and spaces only. */
  readonly name: string;
  readonly head: readonly string[];
  /** The widths of the columns in characters. */
  readonly widths: readonly number[];
  readonly rows: AsyncIterable<readonly (readonly SheetCell[])[]>;
  /** For each column, whether the sheet shows its sum below the last row. */
  readonly summed: readonly boolean[];
  /** The label of the row with the sums. */
  readonly totalLabel: string;
  readonly modified: Date;
  /** The maximum number of rows of a sheet without its header and its total. Tests set a lower number than the default. */
  readonly rowsMax?: number;
}

/**
 * Writes a workbook (XLSX) while it reads the rows. It reads more rows only when the caller needs more bytes, so only a few batches are in
 * memory. Rows that do not fit into one sheet continue in the next one. If reading the rows fails, throws that error.
 */
export async function* writeWorkbook(content: WorkbookContent): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipFile();
  const output = zip.outputStream;
  const rows = new RowReader(content.rows);
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  const written = writeParts(zip, rows, content).catch(fail);
  try {
    for await (const chunk of output) if (chunk instanceof Uint8Array) yield chunk;
    await written;
  } finally {
    // If the caller has stopped early, the source of the rows must be closed too.
    output.destroy();
    await rows.close();
  }
}

async function writeParts(zip: ZipFile, rows: RowReader, content: WorkbookContent): Promise<void> {
  const { name, modified: mtime } = content;
  const names: string[] = [];
  do {
    names.push(names.length === 0 ? name : `${name} ${names.length + 1}`);
    const sheet = Readable.from(sheetXml(rows, content), { objectMode: false });
    zip.addReadStream(sheet, sheetPath(names.length), { mtime });
    await finished(sheet, { writable: false });
  } while (!(await rows.atEnd()));
  for (const [path, xml] of Object.entries(workbookParts(names))) zip.addBuffer(Buffer.from(xml), path, { mtime });
  zip.end();
}

async function* sheetXml(rows: RowReader, { head, widths, summed, totalLabel, rowsMax = DATA_ROWS_MAX }: WorkbookContent) {
  yield sheetStart(head, widths);
  const sums = summed.map((isSummed): bigint | null => (isSummed ? 0n : null));
  let count = 0;
  while (count < rowsMax && !(await rows.atEnd())) {
    const batch = rows.take(rowsMax - count);
    count += batch.length;
    for (const cells of batch) {
      cells.forEach((cell, index) => {
        const sum = sums[index];
        if (typeof sum === 'bigint' && cell !== null && typeof cell === 'object') sums[index] = sum + toHundredths(cell.number);
      });
    }
    yield batch.map(rowXml).join('');
  }
  yield sheetEnd(
    count,
    sums.map((sum) => (sum === null ? null : fromHundredths(sum))),
    totalLabel,
  );
}

/** Returns an amount with two decimals as hundredths, because adding amounts as floats would round them. */
function toHundredths(number: string): bigint {
  return BigInt(number.replace('.', ''));
}

function fromHundredths(sum: bigint): string {
  return `${sum / 100n}.${(sum % 100n).toString().padStart(2, '0')}`;
}

/** Reads batches of rows, and returns them in parts of any size. */
class RowReader {
  readonly #source: AsyncIterator<readonly (readonly SheetCell[])[]>;
  #held: readonly (readonly SheetCell[])[] = [];
  #closed = false;

  constructor(batches: AsyncIterable<readonly (readonly SheetCell[])[]>) {
    this.#source = batches[Symbol.asyncIterator]();
  }

  /** Returns whether there are no more rows. Reads the next batch if all rows were taken. */
  async atEnd(): Promise<boolean> {
    while (this.#held.length === 0 && !this.#closed) {
      const { value, done } = await this.#source.next();
      if (done) this.#closed = true;
      else this.#held = value;
    }
    return this.#held.length === 0;
  }

  /** Returns up to `max` rows of the current batch, and removes them from it. Call `atEnd` first, which reads the batch. */
  take(max: number): readonly (readonly SheetCell[])[] {
    const taken = this.#held.slice(0, max);
    this.#held = this.#held.slice(max);
    return taken;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#source.return?.();
  }
}

// The parts of an Office Open XML workbook (ECMA-376) besides its sheets.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The number formats 164 to 166, and the styles in the order of `sheet-xml.ts`. Format 49 is text. */
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}">` +
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>' +
  '<border><left/><right/><top style="thin"/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="9">' +
  [
    [0, 0, 0],
    [49, 0, 0],
    [164, 0, 0],
    [3, 0, 0],
    [165, 0, 0],
    [166, 0, 0],
    [49, 1, 0],
    [49, 1, 1],
    [164, 1, 1],
  ]
    .map(
      ([format, font, border]) =>
        `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1"/>`,
    )
    .join('') +
  '</cellXfs></styleSheet>';

const sheetPath = (number: number) => `xl/worksheets/sheet${number}.xml`;

/** Returns the parts, with their paths as keys. `names` are the names of the sheets. */
function workbookParts(names: readonly string[]): Readonly<Record<string, string>> {
  const each = (part: (name: string, number: number) => string) => names.map((name, index) => part(name, index + 1)).join('');
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${each((_, number) => `<Override PartName="/${sheetPath(number)}" ContentType="${TYPES}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${each((name, number) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, number) => `<Relationship Id="rId${number}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${names.length + 1}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  };
}
