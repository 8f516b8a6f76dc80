import type { ReactNode } from 'react';
import { RowLink } from './links';

// Rows are CSS grids, because in some browsers a link cannot cover a table row. Browsers do not treat a grid as a table, so the
// elements have the roles of a table.

/** The heading of a column. On a phone, only screen readers announce it. */
interface ListColumn {
  readonly text: string;
  /** Whether the column contains figures, which are aligned at the end. */
  readonly numeric?: boolean;
  /** Whether the column is only on a very wide screen. Its cells then have the class `max-xl:hidden`. */
  readonly wide?: boolean;
  /** Shown instead of the text, for example a box that selects all rows. */
  readonly control?: ReactNode;
  /** Whether only screen readers announce it on every screen, for example because the column contains icons. */
  readonly hidden?: boolean;
}

interface ListProps {
  /** The name of the list. */
  readonly label: string;
  readonly columns: readonly ListColumn[];
  /** A class that sets the widths of the columns on a wide screen: `[--columns:2fr_1fr_7rem]`. */
  readonly widths: string;
  readonly children: ReactNode;
}

/** A list of things, newest first as a rule. On a phone each row has two or three lines, on a wide screen one, in columns. */
export function List({ label, columns, widths, children }: ListProps) {
  // Without a control, nothing of the headings is visible on a phone.
  const controlled = columns.some(({ control }) => control !== undefined);
  return (
    <table role="table" aria-label={label} className={`block text-left ${widths}`}>
      <thead role="rowgroup" className="block">
        <tr
          role="row"
          className={`block items-center border-line text-small font-semibold text-muted ${controlled ? 'border-b' : 'md:border-b'} ${COLUMNS}`}
        >
          {columns.map(({ text, numeric = false, wide = false, control, hidden = false }) => (
            <th
              key={text}
              scope="col"
              role="columnheader"
              className={
                control
                  ? 'block'
                  : `sr-only md:not-sr-only md:truncate! md:py-1.5! ${numeric ? 'md:text-right' : ''} ${wide ? 'max-xl:hidden' : ''}`
              }
            >
              {control ?? (hidden ? <span className="sr-only">{text}</span> : text)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block">
        {children}
      </tbody>
    </table>
  );
}

const COLUMNS = 'md:grid md:grid-cols-(--columns) md:gap-x-3';

/** The heading of the following rows, for example a day, with what they sum up to. */
export function ListHeading({ title, sum }: { readonly title: string; readonly sum?: string | undefined }) {
  return (
    <tr role="row" className="block border-b border-line bg-sunken">
      <th scope="row" role="rowheader" className="flex flex-wrap justify-between gap-x-3 px-2 py-1.5 text-small">
        <span className="font-semibold">{title}</span>
        {sum !== undefined && <span className="font-normal text-muted tabular-nums">{sum}</span>}
      </th>
    </tr>
  );
}

interface LineProps {
  readonly selected?: boolean;
  /** Forms and links beside the row's link. With a mouse, they appear when the pointer is on the row. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A row of a list. A click anywhere opens its `LineLink`. */
export function Line({ selected = false, actions, children }: LineProps) {
  return (
    <tr
      role="row"
      className={`group relative grid grid-cols-[auto_minmax(0,1fr)_auto] border-b border-line py-2.5 last:border-0 md:min-h-13 md:items-center md:py-0.5 ${COLUMNS} ${selected ? 'bg-brand-soft' : 'hover:bg-ground'}`}
    >
      {children}
      {actions && (
        <td
          role="cell"
          className="z-1 col-start-2 col-end-4 mt-2 flex flex-wrap gap-2 md:absolute md:inset-y-0 md:right-0 md:mt-0 md:items-center md:rounded-lg md:bg-ground md:pl-3 md:[@media(hover:hover)]:opacity-0 md:group-focus-within:opacity-100! md:group-hover:opacity-100!"
        >
          {actions}
        </td>
      )}
    </tr>
  );
}

/**
 * Where a cell is on a phone. `lead` is at the left of both lines, `title` and `end` are in the first line, `below` and `endBelow` in the
 * second, `third` in the third, and `fourth` in the fourth. A `wide` cell is only on a wide screen.
 */
const PLACES = {
  lead: 'row-span-3 md:row-span-1',
  title: 'max-md:col-start-2 max-md:row-start-1 min-w-0',
  end: 'max-md:col-start-3 max-md:row-start-1 max-md:pl-3 text-right whitespace-nowrap tabular-nums',
  below: 'max-md:col-start-2 max-md:row-start-2 min-w-0',
  endBelow: 'max-md:col-start-3 max-md:row-start-2 max-md:pl-3 max-md:text-right max-md:text-small text-muted whitespace-nowrap',
  third: 'max-md:col-start-2 max-md:row-start-3 max-md:text-small min-w-0',
  fourth: 'max-md:col-start-2 max-md:col-end-4 max-md:row-start-4 min-w-0',
  wide: 'max-md:hidden min-w-0',
} as const;

interface LineCellProps {
  readonly at: keyof typeof PLACES;
  /** The whole text, for a cell that cuts or shortens it. */
  readonly title?: string | undefined;
  /** Whether the cell contains a figure, which is aligned at the end. */
  readonly numeric?: boolean;
  readonly className?: string;
  readonly children?: ReactNode;
}

export function LineCell({ at, title, numeric = false, className = '', children }: LineCellProps) {
  return (
    <td role="cell" data-at={at} title={title} className={`${PLACES[at]} ${numeric ? 'tabular-nums md:text-right' : ''} ${className}`}>
      {children}
    </td>
  );
}

interface LineLinkProps {
  readonly href: string;
  readonly text: string;
  /** Whether a phone shows the whole text, in up to three lines. */
  readonly whole?: boolean;
  /** The text with marks. */
  readonly children?: ReactNode;
}

/** The link of a row. */
export function LineLink({ href, text, whole = false, children }: LineLinkProps) {
  return (
    <RowLink href={href} title={text} className={`block max-w-full ${whole ? 'line-clamp-3 md:line-clamp-1' : 'truncate'}`}>
      <bdi>{children ?? text}</bdi>
    </RowLink>
  );
}

/** The first letters of a name in a circle. */
export function LineInitials({ name }: { readonly name: string }) {
  const words = name.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => [...word][0] ?? '').join('');
  return (
    <span
      aria-hidden="true"
      className="mr-3 grid size-9 place-items-center rounded-full bg-brand-soft text-small font-bold text-brand uppercase md:mr-0"
    >
      {initials}
    </span>
  );
}

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
