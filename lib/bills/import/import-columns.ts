import type { BillField } from '@/lib/bills/create/typed-bill';

/** Accepted column names in English and Swahili, in lower case without other characters. */
const NAMES: Readonly<Record<BillField, readonly string[]>> = {
  amount: ['amount', 'amounttzs', 'total', 'price', 'kiasi', 'kiasitzs', 'jumla', 'bei', 'fedha'],
  reference: [
    'reference',
    'ref',
    'billreference',
    'invoice',
    'invoicenumber',
    'kumbukumbu',
    'kumbukumbunamba',
    'nambayakumbukumbu',
    'ankara',
  ],
  mobile: ['mobile', 'mobilenumber', 'phone', 'phonenumber', 'msisdn', 'tel', 'simu', 'nambayasimu'],
};

export type Columns = Readonly<Partial<Record<BillField, number>>>;

export interface Header {
  readonly columns: Columns;
  /** Fields without a column, and fields with more than one. */
  readonly missing: readonly BillField[];
  readonly twice: readonly BillField[];
  readonly ignored: readonly string[];
}

/** Finds the columns by their names, in any order. The mobile number is optional. */
export function readHeader(cells: readonly string[]): Header {
  const fields = cells.map(fieldOf);
  const found = (field: BillField) => fields.filter((other) => other === field).length;
  const columns: Partial<Record<BillField, number>> = {};
  fields.forEach((field, index) => {
    if (field) columns[field] ??= index;
  });
  return {
    columns,
    missing: (['amount', 'reference'] as const).filter((field) => found(field) === 0),
    twice: (['amount', 'reference', 'mobile'] as const).filter((field) => found(field) > 1),
    ignored: cells.filter((cell, index) => fields[index] === null && cell.trim() !== ''),
  };
}

function fieldOf(cell: string): BillField | null {
  const plain = cell.toLowerCase().replace(/[^a-z]/g, '');
  if (NAMES.amount.includes(plain)) return 'amount';
  if (NAMES.reference.includes(plain)) return 'reference';
  return NAMES.mobile.includes(plain) ? 'mobile' : null;
}
