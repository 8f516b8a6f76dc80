import { type BillInfo, customerNameSchema, descriptionSchema, dueAtOfDay, hasInfo } from '@/lib/bills/bill-info';
import type { TypedInfo } from '@/lib/bills/info-fields';
import { fail, ok, type Result } from '@/lib/core/result';
import { oneLine } from '@/lib/core/text';

const PROBLEMS = ['customer_name_too_long', 'description_too_long', 'due_date_invalid'] as const;
export type InfoProblem = (typeof PROBLEMS)[number];

export function isInfoProblem(code: string): code is InfoProblem {
  return PROBLEMS.some((problem) => problem === code);
}

/** Returns the result of each field separately. Line breaks in texts become spaces. */
export function readTypedInfo({ customerName = '', description = '', dueDate = '' }: TypedInfo) {
  return {
    customerName: readLine(customerNameSchema, customerName, 'customer_name_too_long'),
    description: readLine(descriptionSchema, description, 'description_too_long'),
    dueDate: readDueDate(dueDate),
  };
}

/** Returns the optional values of a bill, or null if all are empty. Use it only if no field has a problem. */
export function infoOf({ customerName, description, dueDate }: ReturnType<typeof readTypedInfo>): BillInfo | null {
  const known = <Value>(read: Result<Value, unknown>) => (read.ok ? read.value : null);
  const info = { customerName: known(customerName), description: known(description), dueAt: known(dueDate) };
  return hasInfo(info) ? info : null;
}

function readLine(
  schema: typeof customerNameSchema,
  typed: string,
  tooLong: InfoProblem,
): Result<string | null, { readonly code: InfoProblem }> {
  const read = schema.safeParse(oneLine(typed));
  return read.success ? ok(read.data) : fail({ code: tooLong });
}

const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$/;
const TYPED_MAX = 40;

/** Reads `2026-11-30`, which browsers send, and `30/11/2026`, which people write. The day always comes before the month. */
function readDueDate(typed: string): Result<Date | null, { readonly code: InfoProblem }> {
  const text = typed.slice(0, TYPED_MAX).trim();
  if (text === '') return ok(null);
  const [, day = '', month = '', year] = DAY_FIRST.exec(text) ?? [];
  const dueAt = dueAtOfDay(year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return dueAt ? ok(dueAt) : fail({ code: 'due_date_invalid' });
}
