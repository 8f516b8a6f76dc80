import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { DATA_ROWS_MAX, rowXml, type SheetCell, sheetEnd, sheetStart } from './sheet-xml';
import { sheetPath, workbookParts } from './workbook-parts';

export interface WorkbookContent {
  /** The name of the sheets. Each sheet but the first has a number after it. Letters and spaces only. */
  readonly name: string;
  readonly head: readonly string[];
  /** The widths of the columns in characters. */
  readonly widths: readonly number[];
  /** Batches of rows. */
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
