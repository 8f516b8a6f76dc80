import type { ReactNode } from 'react';

// On a narrow screen, CSS shows each row as a card by changing `display`. Browsers then do not announce a table to screen readers any more.
// Therefore the roles are explicit.

/** The heading of a column. If the column contains figures, the heading is aligned at the end, like its cells. */
interface Column {
  readonly text: string;
  readonly numeric?: boolean;
  /**
   * A class with the width on a wide screen. If any column has such a class, the widths of the columns do not depend on the rows. So the
   * widths do not change while the browser is still receiving the rows of a long table. Columns without a width share the rest.
   */
  readonly width?: string;
}

interface TableProps {
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly children: ReactNode;
}

/**
 * A table. It is wider than its container by the padding of the cells, so that the text of the cells is aligned with the title of the card.
 */
export function Table({ caption, columns, children }: TableProps) {
  const fixed = columns.some((column) => typeof column !== 'string' && column.width !== undefined);
  return (
    <table
      role="table"
      className={`-mx-1 block w-[calc(100%+0.5rem)] text-left md:-mx-3 md:table md:w-[calc(100%+1.5rem)] ${fixed ? 'md:table-fixed' : ''}`}
    >
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-line text-muted">
          {columns
            .map((column) => (typeof column === 'string' ? { text: column } : column))
            .map(({ text, numeric = false, width = '' }) => (
              <th
                key={text}
                role="columnheader"
                scope="col"
                className={`px-3 py-row text-small font-semibold ${width} ${numeric ? 'text-right' : ''}`}
              >
                {text}
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
    <tr role="row" className="block border-b border-line py-3 last:border-0 hover:bg-ground md:table-row">
      {children}
    </tr>
  );
}

interface CellProps {
  /** The name of the column, shown next to the value on a narrow screen. Without a label, the value takes the whole line. */
  readonly label?: string;
  /** Whether the value stays on one line if there is space. Use it for amounts, numbers and dates. */
  readonly whole?: boolean;
  /** A figure: aligned at the end, with digits of the same width. */
  readonly numeric?: boolean;
  readonly value?: string | number;
  /** The content, if it is not the text `value`. */
  readonly children?: ReactNode;
}

export function Cell({ label, whole = false, numeric = false, value, children }: CellProps) {
  const aligned = numeric ? 'tabular-nums md:text-right' : 'md:text-left';
  return (
    <td role="cell" className="flex justify-between gap-4 px-1 py-1 align-top md:table-cell md:px-3 md:py-row">
      {label && (
        <span aria-hidden="true" className="shrink-0 text-sm text-muted md:hidden">
          {label}
        </span>
      )}
      <div className={`min-w-0 wrap-anywhere ${aligned} ${label ? 'text-right' : ''} ${whole || numeric ? 'md:whitespace-nowrap' : ''}`}>
        {value ?? children}
      </div>
    </td>
  );
}
