import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A member in a merchant's environment, whose shifts and entries are read or changed. */
export interface CounterOf extends Scope {
  readonly userId: string;
}

export interface Shift {
  readonly id: string;
  readonly code: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

const OF = 'merchant_id = $merchantId AND environment = $environment AND user_id = $userId';
const OF_TYPES = { merchantId: uuid, environment, userId: uuid };
const COLUMNS = 'id, code, opened_at AS "openedAt", closed_at AS "closedAt"';
const TYPES = { id: uuid, code: text, openedAt: timestamptz, closedAt: nullable(timestamptz) };

const FIND_OPEN_SHIFT = statement({
  name: 'find the open shift',
  text: `SELECT ${COLUMNS} FROM counter_shift WHERE ${OF} AND closed_at IS NULL`,
  parameters: OF_TYPES,
  columns: TYPES,
});

export async function findOpenShift(on: Queryable, { merchantId, environment: where, userId }: CounterOf): Promise<Shift | undefined> {
  return FIND_OPEN_SHIFT.first(on, { merchantId, environment: where, userId });
}

const FIND_SHIFT = statement({
  name: 'find a shift',
  text: `SELECT ${COLUMNS} FROM counter_shift WHERE ${OF} AND id = $id`,
  parameters: { ...OF_TYPES, id: uuid },
  columns: TYPES,
});

export async function findShift(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  id: string,
): Promise<Shift | undefined> {
  return FIND_SHIFT.first(on, { merchantId, environment: where, userId, id });
}

const OPEN_SHIFT = statement({
  name: 'open a shift',
  text: `INSERT INTO counter_shift (id, merchant_id, environment, user_id, code, opened_at)
         VALUES ($id, $merchantId, $environment, $userId, $code, $openedAt) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
  parameters: { ...OF_TYPES, id: uuid, code: text, openedAt: timestamptz },
  columns: TYPES,
});

/** Opens a shift. Returns undefined if the member has an open shift, or if another shift has the code. */
export async function insertShift(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  shift: { readonly id: string; readonly code: string; readonly openedAt: Date },
): Promise<Shift | undefined> {
  return OPEN_SHIFT.first(on, { merchantId, environment: where, userId, ...shift });
}

const NEXT_NUMBER = statement({
  name: 'number a bill of a shift',
  text: `UPDATE counter_shift SET last_number = last_number + 1 WHERE id = $id AND closed_at IS NULL RETURNING last_number AS number`,
  parameters: { id: uuid },
  columns: { number: int4 },
});

/** Returns the next number of an open shift, or undefined if it was closed meanwhile. */
export async function nextNumber(on: Queryable, id: string): Promise<number | undefined> {
  return (await NEXT_NUMBER.first(on, { id }))?.number;
}

const CLOSE_SHIFT = statement({
  name: 'close a shift',
  text: `UPDATE counter_shift SET closed_at = $now WHERE ${OF} AND id = $id AND closed_at IS NULL RETURNING ${COLUMNS}`,
  parameters: { ...OF_TYPES, id: uuid, now: timestamptz },
  columns: TYPES,
});

/** Closes a shift. Returns undefined if it is not open. */
export async function markShiftClosed(
  on: Queryable,
  { merchantId, environment: where, userId }: CounterOf,
  id: string,
  now: Date,
): Promise<Shift | undefined> {
  return CLOSE_SHIFT.first(on, { merchantId, environment: where, userId, id, now });
}
