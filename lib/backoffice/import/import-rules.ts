import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import { BILL_FIELDS, isInfoProblem, problemsOf, readTypedFields } from '@/lib/gateway/bills/create/typed-bill';
import { DAY_MS } from '@/lib/platform/core/clock';
import { isFailureCode } from '@/lib/platform/core/failure';
import type { Senti } from '@/lib/platform/core/money';
import type { Result } from '@/lib/platform/core/result';
import { SCIENTIFIC } from '@/lib/platform/spreadsheets/read-text';
import type { FileRow } from './import-file';

/** How long a checked file is stored if nobody starts the import. */
export const DRAFT_RETENTION_MS = 7 * DAY_MS;

/** The number of rows that are checked at once: a few milliseconds of work. */
const ROWS_AT_ONCE = 200;

/** Cells are shown up to this length, in characters. */
const READ_MAX = 100;

/** An error or a warning about a cell, and the text of the cell. */
export type RowProblem = z.output<typeof problemSchema>;

export const problemSchema = z.object({
  field: z.enum(BILL_FIELDS),
  level: z.enum(['error', 'warning']),
  code: z.string().transform((code, context) => {
    if (code === 'reference_twice' || code === 'reference_changed' || isInfoProblem(code) || isFailureCode(code)) return code;
    context.addIssue('is no code of a problem');
    return z.NEVER;
  }),
  read: z.string(),
  /** The number of the earlier row with the same reference. */
  row: z.number().exactOptional(),
});

/** A checked row. No bill can be created from a row with an error, but its valid fields are set too. */
export interface CheckedRow {
  readonly number: number;
  readonly amount: Senti | null;
  readonly reference: string | null;
  readonly mobile: string | null;
  readonly customerName: string | null;
  readonly description: string | null;
  readonly dueAt: Date | null;
  readonly problems: readonly RowProblem[];
}

interface CheckOptions {
  readonly maxShillings: number;
  /** True: a reference that an earlier bill or row has is an error. False: it is only a warning. */
  readonly uniqueReferences: boolean;
  /** The references of the file that existing bills already have. */
  readonly used: ReadonlySet<string>;
}

export async function checkRows(rows: readonly FileRow[], { maxShillings, uniqueReferences, used }: CheckOptions): Promise<CheckedRow[]> {
  const firstRows = new Map<string, number>();
  const level = uniqueReferences ? 'error' : 'warning';
  const check = ({ number, typed }: FileRow): CheckedRow => {
    const read = readTypedFields(typed, maxShillings);
    const reference = typed.reference.trim();
    const earlier = firstRows.get(reference);
    if (earlier === undefined) firstRows.set(reference, number);
    const problems: RowProblem[] = problemsOf(read).map(({ field, code }) => ({
      field,
      level: 'error',
      code,
      read: shown(typed[field] ?? ''),
    }));
    const about = { field: 'reference', level, read: shown(reference) } as const;
    if (SCIENTIFIC.test(reference)) problems.push({ ...about, level: 'error', code: 'reference_changed' });
    if (reference !== '' && earlier !== undefined) problems.push({ ...about, code: 'reference_twice', row: earlier });
    if (used.has(reference)) problems.push({ ...about, code: 'reference_used' });
    problems.sort((a, b) => BILL_FIELDS.indexOf(a.field) - BILL_FIELDS.indexOf(b.field));
    return {
      number,
      amount: known(read.amount),
      reference: known(read.reference),
      mobile: known(read.mobile),
      customerName: known(read.customerName),
      description: known(read.description),
      dueAt: known(read.dueDate),
      problems,
    };
  };
  const checked: CheckedRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await yieldToOthers();
    checked.push(check(row));
  }
  return checked;
}

function known<T>(read: Result<T, unknown>): T | null {
  return read.ok ? read.value : null;
}

export function hasError({ problems }: Pick<CheckedRow, 'problems'>): boolean {
  return problems.some(({ level }) => level === 'error');
}

/**
 * Returns the text of a cell as it is shown: cut to the maximum length, without NUL, which PostgreSQL cannot store, and without half of a
 * surrogate pair at the cut.
 */
function shown(read: string): string {
  return read.replaceAll('\0', '').slice(0, READ_MAX).toWellFormed();
}
