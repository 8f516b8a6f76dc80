import { buffer } from 'node:stream/consumers';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { createFairQueue, type FairQueue } from '@/lib/platform/queues/fair-queue';
import { EPOCH_MS } from './sheet-xml';

/** The largest size of an unpacked sheet, of the list of texts that its cells refer to, and of each other part, in bytes. */
const SHEET_MAX_BYTES = 16 * 1024 * 1024;
const TEXTS_MAX_BYTES = 8 * 1024 * 1024;
const PART_MAX_BYTES = 1024 * 1024;

/** The number of bytes that are parsed at once: a few milliseconds of work. */
const PIECE = 64 * 1024;

interface WorkbookOptions {
  /** Whose file it is. Subjects take turns. */
  readonly subject: string;
  /** The maximum number of rows, including empty ones, and of columns. Cells in further columns are ignored. */
  readonly rows: number;
  readonly columns: number;
}

type WorkbookProblem = 'no_workbook' | 'unpacked_too_large' | 'too_many_rows' | 'busy';

declare global {
  // Several bundles of one process contain this module. A module variable would exist once per bundle.
  var biliWorkbookQueue: FairQueue | undefined;
}

/** Returns the queue of this process. A large workbook takes about a second of a core. */
function workbookQueue(): FairQueue {
  globalThis.biliWorkbookQueue ??= createFairQueue({ concurrency: 1, waitingOfOne: 2, waiting: 10, waitMs: 20 * SECOND_MS });
  return globalThis.biliWorkbookQueue;
}

/** Returns whether a file is a ZIP archive, as every workbook in the format XLSX is. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Reads the first visible sheet of a workbook (XLSX, ECMA-376) as rows of texts. A formula is read as its stored value, a date as
 * `2026-11-26`, and a number without the errors of floating-point numbers. Nothing is unpacked or kept beyond the limits.
 */
export async function readWorkbook(bytes: Uint8Array, options: WorkbookOptions): Promise<Result<string[][], WorkbookProblem>> {
  return (await workbookQueue().run(options.subject, () => readFirstSheet(bytes, options))) ?? fail('busy');
}

async function readFirstSheet(bytes: Uint8Array, limits: WorkbookOptions): Promise<Result<string[][], WorkbookProblem>> {
  try {
    return ok(await readRows(await openArchive(bytes), limits));
  } catch (error) {
    if (error instanceof SheetError) return fail(error.problem);
    throw error;
  }
}

class SheetError extends Error {
  readonly problem: Exclude<WorkbookProblem, 'busy'>;

  constructor(problem: SheetError['problem']) {
    super(problem);
    this.problem = problem;
  }
}

/** A workbook has about ten files, and one for each sheet and picture. */
const ENTRIES_MAX = 2_000;

/** An archive, and its files by their paths. */
interface Archive {
  readonly file: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Reads the directory of an archive, and none of its files. */
async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const entries = new Map<string, Entry>();
  try {
    const file = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true });
    if (file.entryCount > ENTRIES_MAX) throw new SheetError('no_workbook');
    for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry);
    return { file, entries };
  } catch {
    throw new SheetError('no_workbook');
  }
}

/** Unpacks a file of an archive; undefined if it has none of this path. A file that is longer than the archive says is damaged. */
async function unpack({ file, entries }: Archive, path: string, maxBytes: number): Promise<Buffer | undefined> {
  const entry = entries.get(path);
  if (!entry) return undefined;
  if (entry.uncompressedSize > maxBytes) throw new SheetError('unpacked_too_large');
  try {
    return await buffer(await file.openReadStreamPromise(entry));
  } catch {
    throw new SheetError('no_workbook');
  }
}

/** What a reader of XML does at the start and the end of an element. `text` is the text since the start of the last element. */
interface Handlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string, text: string) => void;
}

/** Reads a part of the workbook. Does nothing if the workbook does not have it. */
async function readPart(zip: Archive, path: string, maxBytes: number, { open, close }: Handlers): Promise<void> {
  const xml = await unpack(zip, path, maxBytes);
  if (!xml) return;
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const plain = (name: string) => name.slice(name.indexOf(':') + 1);
  let text = '';
  const refuse = () => {
    throw new SheetError('no_workbook');
  };
  parser.on('error', refuse);
  // The format has no document type. One could define entities, which grow when they are expanded.
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name, attributes }) => {
    text = '';
    open(plain(name), attributes);
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('cdata', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    close?.(plain(name), text);
    text = '';
  });
  for (let at = 0; at < xml.length; at += PIECE) {
    parser.write(decode(decoder, xml.subarray(at, at + PIECE)));
    await yieldToOthers();
  }
  parser.close();
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new SheetError('no_workbook');
  }
}

async function readRows(zip: Archive, limits: WorkbookOptions): Promise<string[][]> {
  const { path, epochMs } = await findSheet(zip);
  if (!zip.entries.has(path)) throw new SheetError('no_workbook');
  const texts = await readTexts(zip);
  const days = await readDayStyles(zip);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = { column: -1, type: 'n', isDay: false };
  let value = '';
  await readPart(zip, path, SHEET_MAX_BYTES, {
    open(name, { r, t, s }) {
      if (name === 'row') {
        const number = r === undefined ? rows.length + 1 : Number(r);
        // Rows without cells may be missing.
        if (!(number > rows.length)) throw new SheetError('no_workbook');
        if (number > limits.rows) throw new SheetError('too_many_rows');
        while (rows.length < number) rows.push([]);
        row = rows[number - 1] ?? [];
        cell = { column: -1, type: 'n', isDay: false };
      }
      if (name !== 'c') return;
      cell = { column: r === undefined ? cell.column + 1 : columnNumber(r), type: t ?? 'n', isDay: days.has(Number(s ?? 0)) };
      value = '';
    },
    close(name, text) {
      // A text of the cell itself can have several parts, each with a format of its own.
      if (name === 'v' || name === 't') value = name === 'v' ? text : value + text;
      if (name !== 'c' || value === '' || cell.column >= limits.columns) return;
      while (row.length < cell.column) row.push('');
      row[cell.column] = cellText(value, cell, { texts, epochMs });
    },
  });
  return rows;
}

/** Finds the path of the first sheet that is not hidden, and the day 0 of the workbook's dates. */
async function findSheet(zip: Archive): Promise<{ readonly path: string; readonly epochMs: number }> {
  const sheets: { readonly id: string | undefined; readonly visible: boolean }[] = [];
  let since1904 = false;
  await readPart(zip, 'xl/workbook.xml', PART_MAX_BYTES, {
    open(name, attributes) {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      sheets.push({ id, visible: (attributes.state ?? 'visible') === 'visible' });
    },
  });
  const sheet = sheets.find(({ visible }) => visible) ?? sheets[0];
  let target = '';
  await readPart(zip, 'xl/_rels/workbook.xml.rels', PART_MAX_BYTES, {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id === sheet?.id) target = Target ?? '';
    },
  });
  // A path is relative to the folder `xl`, or absolute.
  return { path: target.startsWith('/') ? target.slice(1) : `xl/${target}`, epochMs: since1904 ? EPOCH_MS - 1_462 * DAY_MS : EPOCH_MS };
}

/** Reads the texts that cells refer to by their positions. */
async function readTexts(zip: Archive): Promise<readonly string[]> {
  const texts: string[] = [];
  let [parts, phonetic] = ['', false];
  await readPart(zip, 'xl/sharedStrings.xml', TEXTS_MAX_BYTES, {
    open(name) {
      if (name === 'si') parts = '';
      // How a word is read aloud. It is no part of the text.
      if (name === 'rPh') phonetic = true;
    },
    close(name, text) {
      if (name === 't' && !phonetic) parts += text;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') texts.push(parts);
    },
  });
  return texts;
}

/** The number formats of dates that every spreadsheet program knows: ECMA-376, part 1, 18.8.30. */
function isDayFormat(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
}

/** Reads which styles of cells show a number as a date. */
async function readDayStyles(zip: Archive): Promise<ReadonlySet<number>> {
  const own = new Map<number, boolean>();
  const styles = new Set<number>();
  let [style, inside] = [0, false];
  await readPart(zip, 'xl/styles.xml', PART_MAX_BYTES, {
    open(name, { numFmtId, formatCode = '' }) {
      const format = Number(numFmtId);
      // Texts in quotes, escaped characters and conditions in brackets are no part of the date.
      if (name === 'numFmt') own.set(format, /[yd]/i.test(formatCode.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')));
      if (name === 'cellXfs') inside = true;
      if (name !== 'xf' || !inside) return;
      if (own.get(format) ?? isDayFormat(format)) styles.add(style);
      style += 1;
    },
    close(name) {
      if (name === 'cellXfs') inside = false;
    },
  });
  return styles;
}

/** Returns the number of a cell's column: 0 for A7, 26 for AA7. */
function columnNumber(cell: string): number {
  const letters = /^[A-Z]{1,3}/.exec(cell)?.[0];
  if (letters === undefined) throw new SheetError('no_workbook');
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface CellContext {
  readonly texts: readonly string[];
  readonly epochMs: number;
}

function cellText(
  value: string,
  { type, isDay }: { readonly type: string; readonly isDay: boolean },
  { texts, epochMs }: CellContext,
): string {
  if (type === 's') return unescapeText(texts[Number(value)] ?? '');
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.slice(0, 10);
  const number = Number(value);
  if (type !== 'n' || !Number.isFinite(number)) return unescapeText(value);
  if (isDay) {
    const day = new Date(Math.floor(number) * DAY_MS - epochMs);
    return number >= 0 && day.getUTCFullYear() <= 9999 ? day.toISOString().slice(0, 10) : value;
  }
  // Spreadsheets keep 15 digits. A longer number has lost digits: it is written so that the check of the row notices it.
  if (Math.abs(number) >= 1e15) return number.toExponential(5).toUpperCase();
  return String(Number(number.toPrecision(15)));
}

/** Texts contain characters that XML does not allow as `_x000D_`. */
function unescapeText(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
