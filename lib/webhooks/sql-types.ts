import { enumType } from '@/lib/db/sql-types';
import { DELIVERY_STATES } from './state';

export const deliveryState = enumType('delivery_state', DELIVERY_STATES);
export const deliveryTrigger = enumType('delivery_trigger', ['automatic', 'manual', 'bulk', 'test', 'check']);
export const endpointStatus = enumType('endpoint_status', ['active', 'paused', 'disabled']);

/** Returns Prisma's `select` object for the columns of an SQL statement. */
export function selectionOf<Columns extends object>(columns: Columns): { readonly [Name in keyof Columns]: true };
export function selectionOf(columns: object): Readonly<Record<string, true>> {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, true]));
}
