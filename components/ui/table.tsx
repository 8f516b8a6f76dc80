import type { ReactNode } from 'react';

// On a narrow screen each row becomes a card. Browsers remove the table semantics when `display` changes, so the roles are explicit.

interface TableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

export function Table({ caption, columns, children }: TableProps) {
  return (
    <table role="table" className="block w-full text-left md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-line text-sm text-muted">
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col" className="px-3 py-2 font-semibold">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block md:table-row-group">
        {children}
      </tbody>
    </table>
  );
}

interface RowProps {
  /** On a narrow screen, show two cells per line without column names. Use it if the values explain themselves. */
  readonly pairs?: boolean;
  readonly children: ReactNode;
}

export function Row({ pairs = false, children }: RowProps) {
  const narrow = pairs ? 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-1' : 'block';
  return (
    <tr role="row" className={`${narrow} border-b border-line py-3 last:border-0 md:table-row md:hover:bg-ground`}>
      {children}
    </tr>
  );
}

/** The position of a cell on a narrow screen. In rows with pairs it may also be at the right, below, or hidden. */
const PLACES = {
  own: 'flex justify-between',
  right: 'flex justify-end text-right',
  below: 'order-last col-span-2 flex',
  nowhere: 'hidden',
} as const;

interface CellProps {
  /** The name of the column, shown next to the value on a narrow screen. Without it the value takes the whole line. */
  readonly label?: string;
  /** Do not wrap the value if there is space. Use it for amounts, numbers and dates. */
  readonly whole?: boolean;
  readonly place?: keyof typeof PLACES;
  readonly value?: string | number;
  /** The content, if it is not the text `value`. */
  readonly children?: ReactNode;
}

export function Cell({ label, whole = false, place = 'own', value, children }: CellProps) {
  return (
    <td role="cell" className={`${PLACES[place]} gap-4 px-1 py-1 align-top md:table-cell md:px-3 md:py-3`}>
      {label && (
        <span aria-hidden="true" className="shrink-0 text-sm text-muted md:hidden">
          {label}
        </span>
      )}
      <div className={`min-w-0 wrap-anywhere md:text-left ${label ? 'text-right' : ''} ${whole ? 'md:whitespace-nowrap' : ''}`}>
        {value ?? children}
      </div>
    </td>
  );
}
