import type { Place } from '../place';

/** The merchant, environment and bill of a form. Every form of the page sends them. */
export type BillPlace = Readonly<Record<keyof Place | 'bill', string>>;
