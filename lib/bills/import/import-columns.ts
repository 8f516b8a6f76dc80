import type { BillField } from '@/lib/bills/create/typed-bill';

/** What people call the columns, in English and Swahili, as `plain` writes it. */
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
  /** Fields that no column, or more than one, is called by. */
  readonly missing: readonly BillField[];
  readonly twice: readonly BillField[];
  /** The columns that are of no use here, as the file calls them. */
  readonly ignored: readonly string[];
}

/** Pure. Finds out which column is which, in any order. The mobile number may be left out. */
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
