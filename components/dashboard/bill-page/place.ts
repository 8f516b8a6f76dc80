import type { Place } from '../place';

/** Whose bill a form is about; every form of the page sends it along. */
export type BillPlace = Readonly<Record<keyof Place | 'bill', string>>;
