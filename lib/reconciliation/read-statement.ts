import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { fail, ok, type Result } from '@/lib/core/result';
import type { StatementMapping } from '@/lib/providers/port/statement-mapping';
import { type Row, readLine } from './read-line';
import { isSameTransaction, type SkipReason, type Statement, type StatementLine, type StatementProblem } from './statement';

interface Cells {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Reads a statement. If any line cannot be read, returns the problems of all lines instead. */
export function readStatement(bytes: Uint8Array, mapping: StatementMapping): Result<Statement, readonly StatementProblem[]> {
  const table = readCells(bytes);
  if (!table.ok) return fail([table.error]);
  const header = findHeader(table.value, mapping);
  if (!header.ok) return fail([header.error]);

  const problems: StatementProblem[] = [];
  const lines: StatementLine[] = [];
  const seen = new Map<string, StatementLine>();
  const skipped: Record<SkipReason, number> = { not_completed: 0, other_money: 0, repeated: 0 };
  for (const { number, cells } of table.value.slice(header.value.index + 1)) {
    const { names } = header.value;
    if (mapping.strict && cells.length !== names.length) {
      problems.push({ line: number, reason: `the line has ${cells.length} fields, but the header has ${names.length}` });
      continue;
    }
    const read = readLine(toRow(number, names, cells), mapping);
    if (!read.ok) {
      for (const reason of read.error) problems.push({ line: number, reason });
    } else if (typeof read.value === 'string') {
      skipped[read.value] += 1;
    } else {
      const key = `${read.value.kind} ${read.value.transactionId}`;
      const earlier = seen.get(key);
      if (!earlier) {
        seen.set(key, read.value);
        lines.push(read.value);
      } else if (isSameTransaction(earlier, read.value)) {
        skipped.repeated += 1;
      } else {
        problems.push({ line: number, reason: `${key} is also on line ${earlier.number}, with different values` });
      }
    }
  }
  return problems.length > 0 ? fail(problems) : ok({ lines, lastNumber: table.value.at(-1)?.number ?? 0, skipped });
}

function readCells(bytes: Uint8Array): Result<readonly Cells[], StatementProblem> {
  const rows: Cells[] = [];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const zero = text.indexOf('\0');
    if (zero >= 0)
      return fail({
        line: text.slice(0, zero).split('\n').length,
        reason: 'the line has a null character, so the file is not a text file',
      });
    parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { lines }) {
        rows.push({ number: lines, cells });
        return null;
      },
    });
    return ok(rows);
  } catch (error) {
    if (error instanceof TypeError) return fail({ line: 1, reason: 'the file must be text in UTF-8' });
    if (error instanceof CsvError) return fail({ line: typeof error.lines === 'number' ? error.lines : 1, reason: error.message });
    throw error;
  }
}

/** Finds the header: the first line with all columns. Before the header, an export can have lines that describe the export. */
function findHeader(
  table: readonly Cells[],
  mapping: StatementMapping,
): Result<{ index: number; names: readonly string[] }, StatementProblem> {
  const expected = columnsOf(mapping);
  const missingIn = ({ cells }: Cells) => expected.filter((column) => !cells.some((cell) => isNamed(cell, column)));
  const index = mapping.strict ? 0 : table.findIndex((row) => missingIn(row).length === 0);
  const row = table[index];
  if (!row) return fail({ line: 1, reason: `there is no header with the columns ${expected.join(', ')}` });
  const names = row.cells.map((cell) => cell.trim());
  const [missing] = missingIn(row);
  if (missing) return fail({ line: row.number, reason: `the header has no column ${missing}; it must be ${expected.join(',')}` });
  const [unknown] = mapping.strict ? names.filter((name) => !expected.some((column) => isNamed(name, column))) : [];
  if (unknown !== undefined) return fail({ line: row.number, reason: `the header has an unknown column "${unknown}"` });
  const twice = expected.find((column) => names.filter((name) => isNamed(name, column)).length > 1);
  if (twice) return fail({ line: row.number, reason: `the header has the column ${twice} twice` });
  return ok({ index, names });
}

function columnsOf({ columns, amounts, completed }: StatementMapping): readonly string[] {
  const { transactionId, completedAt, reference, mobile, reversedTransactionId } = columns;
  const money = amounts.kind === 'typed' ? [amounts.type, amounts.amount] : [amounts.in, amounts.out, amounts.reason];
  return [transactionId, ...money, completedAt, reference, mobile, reversedTransactionId, ...(completed ? [completed.column] : [])];
}

function isNamed(cell: string, column: string): boolean {
  return cell.trim().toLowerCase() === column.toLowerCase();
}

function toRow(number: number, names: readonly string[], cells: readonly string[]): Row {
  const pairs = cells.map((cell, index): [string, string] => [names[index] || `column ${index + 1}`, cell]);
  const byName = new Map(pairs.map(([name, cell]) => [name.toLowerCase(), cell.trim()]));
  return { number, raw: Object.fromEntries(pairs), cell: (column) => byName.get(column.toLowerCase()) ?? '' };
}
