'use client';

import { useTranslations } from 'use-intl/react';
import { RowLink } from '@/components/ui/links';
import type { BillRow } from './bill-row';
import { BillState } from './bill-state';

// Rows are CSS grids, because in some browsers a link cannot cover a table row. Browsers do not treat a grid as a table, so the
// elements have the roles of a table.

/** The columns of the head and of every row on a wide screen. */
const COLUMNS = 'md:grid-cols-[2rem_minmax(0,6fr)_minmax(0,7fr)_6.5rem_7rem_6.5rem] md:gap-x-3';
const BOX = 'size-5 cursor-pointer accent-brand md:size-4';

interface BillHeadProps {
  readonly selection: { readonly all: boolean; readonly some: boolean; readonly toggle: () => void };
  readonly byPaid: boolean;
}

export function BillHead({ selection: { all, some, toggle }, byPaid }: BillHeadProps) {
  const t = useTranslations('BillList');
  const rows = useTranslations('BillRows');
  const columns = [t('reference'), t('status'), rows('phone'), t(byPaid ? 'paidAt' : 'created')];
  return (
    <tr role="row" className={`block items-center border-b border-line text-small font-semibold text-muted md:grid ${COLUMNS}`}>
      <th scope="col" role="columnheader" className="block">
        <label className="flex h-11 w-max cursor-pointer items-center gap-4 px-3 md:size-8 md:justify-center md:p-0 [@media(scripting:none)]:hidden">
          <input
            type="checkbox"
            aria-label={rows('selectAll')}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = some && !all;
            }}
            onChange={toggle}
            className={BOX}
          />
          <span aria-hidden="true" className="md:hidden">
            {rows('selectAll')}
          </span>
        </label>
      </th>
      {columns.map((column) => (
        <th scope="col" key={column} role="columnheader" className="sr-only md:not-sr-only">
          {column}
        </th>
      ))}
      <th scope="col" role="columnheader" className="sr-only md:not-sr-only md:text-right">
        {rows('amountInShillings')}
      </th>
    </tr>
  );
}

interface BillLineProps {
  readonly bill: BillRow;
  readonly href: string;
  readonly byPaid: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

/** A row of the list. The link of the reference covers the whole row, except the checkbox and the customer's mobile number. */
export function BillLine({ bill, href, byPaid, selected, onSelect }: BillLineProps) {
  const t = useTranslations('BillRows');
  const time = byPaid ? bill.paidAt : bill.created;
  // True if the bill has a second badge besides its status. Two badges fill the column, so the payment request then gets its own line.
  const crowded = bill.overpaid !== null || bill.overdue !== null || bill.check;
  const look = `${selected ? 'bg-brand-soft' : 'hover:bg-ground'} ${COLUMNS}`;
  return (
    <tr
      role="row"
      className={`relative grid grid-cols-[2.75rem_minmax(0,1fr)_auto] gap-x-1 border-b border-line py-2 last:border-0 md:items-center md:py-0 ${look}`}
    >
      <td role="cell" className="row-span-3 md:row-span-1">
        <label className="relative z-1 grid size-11 cursor-pointer place-items-center md:size-8 [@media(scripting:none)]:hidden">
          <input
            type="checkbox"
            aria-label={t('select', { reference: bill.reference })}
            checked={selected}
            onChange={onSelect}
            className={BOX}
          />
        </label>
      </td>
      <td role="cell" className="min-w-0 self-center md:flex md:flex-wrap md:items-baseline md:gap-x-2 md:py-1">
        <RowLink href={href} title={bill.reference} className="line-clamp-2 md:block md:max-w-full md:shrink-0 md:truncate">
          {bill.reference}
        </RowLink>
        {/* A long reference leaves no room for the customer's name, which then takes the next line. */}
        {bill.about !== null && <span className="block min-w-0 truncate text-small text-muted md:grow md:basis-28">{bill.about}</span>}
      </td>
      <td
        role="cell"
        className={`${SECOND} flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 md:py-1 ${crowded ? '' : 'md:flex-nowrap'}`}
      >
        <BillState bill={bill} />
      </td>
      <td
        role="cell"
        className={`${THIRD} z-1 justify-self-start tabular-nums max-md:text-small max-md:text-muted ${bill.mobile === null || bill.request ? 'max-md:hidden' : ''}`}
      >
        {bill.mobile ?? '–'}
      </td>
      <td
        role="cell"
        title={time?.exact}
        className={`max-md:col-start-3 max-md:row-start-2 max-md:text-right max-md:text-small whitespace-nowrap text-muted`}
      >
        {time?.text ?? '–'}
      </td>
      <td role="cell" className="self-center text-right font-semibold whitespace-nowrap tabular-nums max-md:col-start-3 max-md:row-start-1">
        {bill.amount}
      </td>
    </tr>
  );
}

/** Classes for the cells in the second line (`SECOND`) and the third line (`THIRD`) of a row on a narrow screen. */
const SECOND = 'max-md:col-start-2 max-md:row-start-2';
const THIRD = 'max-md:col-start-2 max-md:row-start-3';
