import { BILL_FIELDS, type BillField } from '@/lib/bills/create/typed-bill';

/** Accepted column names in English and Swahili, reduced to lower-case letters, as `fieldOf` does. */
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
  customerName: ['customer', 'customername', 'name', 'client', 'clientname', 'mteja', 'jina', 'jinalamteja'],
  description: ['description', 'details', 'maelezo'],
  dueDate: ['due', 'duedate', 'dueon', 'deadline', 'mwisho', 'mwishowakulipa', 'tareheyamwisho'],
};

export type Columns = Readonly<Partial<Record<BillField, number>>>;

export interface Header {
  readonly columns: Columns;
  /** Fields without a column, and fields with more than one. */
  readonly missing: readonly BillField[];
  readonly twice: readonly BillField[];
  readonly ignored: readonly string[];
}

/** Finds the columns by their names, in any order. Only amount and reference are required. */
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
    twice: BILL_FIELDS.filter((field) => found(field) > 1),
    ignored: cells.filter((cell, index) => fields[index] === null && cell.trim() !== ''),
  };
}

function fieldOf(cell: string): BillField | null {
  const plain = cell.toLowerCase().replace(/[^a-z]/g, '');
  return BILL_FIELDS.find((field) => NAMES[field].includes(plain)) ?? null;
}
