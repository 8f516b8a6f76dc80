import { z } from 'zod';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { parseDay } from '@/lib/core/instant';
import { CUSTOMER_NAME_MAX, DESCRIPTION_MAX } from './info-fields';

/** Facts about a bill for people. Each value is optional, and none of them has an effect on money. */
export interface BillInfo {
  /** The customer's name, as the merchant writes it on an invoice. */
  readonly customerName: string | null;
  readonly description: string | null;
  /** The last millisecond of the East African day on which the bill is due. */
  readonly dueAt: Date | null;
}

export const NO_INFO: BillInfo = { customerName: null, description: null, dueAt: null };

export function hasInfo({ customerName, description, dueAt }: BillInfo): boolean {
  return customerName !== null || description !== null || dueAt !== null;
}

/** Returns the values as the audit log stores them. */
export function infoFacts({ customerName, description, dueAt }: BillInfo) {
  return { customerName, description, dueDate: dueAt && eastAfricanDay(dueAt) };
}

/**
 * The first and the last day on which a bill can be due. If a client sends seconds in place of milliseconds, the day is in 1970, so Bili
 * notices the mistake.
 */
const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2099-12-31';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Returns the schema of a text in one line. Spaces around it are removed, and an empty text becomes null. */
export function lineSchema(max: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !CONTROL.test(text))
    .transform((text) => text.trim() || null)
    .refine((text) => text === null || text.length <= max || [...text].length <= max);
}

export const customerNameSchema = lineSchema(CUSTOMER_NAME_MAX);
export const descriptionSchema = lineSchema(DESCRIPTION_MAX);

/** Returns the instant at which a bill with a due date such as `2026-11-30` is due. Null if the date does not exist or is out of range. */
export function dueAtOfDay(day: string): Date | null {
  const start = day >= FIRST_DAY && day <= LAST_DAY ? parseDay(day) : null;
  return start && addMs(start, DAY_MS - 1);
}
