import type { BillInfo } from '@/lib/bills/bill-info';
import type { Bill } from '@/lib/bills/rules';
import { BILL_COLUMNS, BILL_TYPES } from '@/lib/bills/store';
import { nullable, text } from '@/lib/db/sql-types';

/** A bill with the texts by which people search for it. */
export type SearchedBill = Bill & Pick<BillInfo, 'customerName'>;

/** The columns of a SearchedBill, for a table with the alias `b`. */
export const SEARCHED_COLUMNS = `${BILL_COLUMNS}, b.customer_name AS "customerName"`;
export const SEARCHED_TYPES = { ...BILL_TYPES, customerName: nullable(text) };
