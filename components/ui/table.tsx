import type { ReactNode } from 'react';

// On a narrow screen each row becomes a card. Browsers forget what a table is when its display changes, so the roles say it.

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

export function Row({ children }: { readonly children: ReactNode }) {
  return (
    <tr role="row" className="block border-b border-line py-3 last:border-0 md:table-row md:hover:bg-ground">
      {children}
    </tr>
  );
}

interface CellProps {
  /** The column's name, shown beside the value on a narrow screen; without it the value has the line to itself. */
  readonly label?: string;
  /** Amounts, numbers and dates stay on one line where there is room. */
  readonly whole?: boolean;
  readonly children: ReactNode;
}

export function Cell({ label, whole = false, children }: CellProps) {
  return (
    <td role="cell" className="flex justify-between gap-4 px-1 py-1 align-top md:table-cell md:px-3 md:py-3">
      {label && (
        <span aria-hidden="true" className="shrink-0 text-sm text-muted md:hidden">
          {label}
        </span>
      )}
      <div className={`min-w-0 wrap-anywhere md:text-left ${label ? 'text-right' : ''} ${whole ? 'md:whitespace-nowrap' : ''}`}>
        {children}
      </div>
    </td>
  );
}
