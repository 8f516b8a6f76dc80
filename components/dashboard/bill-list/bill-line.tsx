'use client';

import type { ReactNode } from 'react';
import { BILL_LOOKS, OVERPAID_LOOK } from '@/components/dashboard/bill-looks';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Line, LineCell, LineLink, List } from '@/components/ui/list';
import { MARK, type Marked, MarkedText } from '@/components/ui/marked';
import { useTranslations } from '@/components/ui/texts';
import type { BillRow } from './bill-row';

const WIDTHS =
  '[--columns:minmax(0,4fr)_minmax(0,4fr)_10rem_6.5rem_8rem] xl:[--columns:minmax(0,1fr)_minmax(0,1fr)_12.5rem_7.5rem_8.25rem]';
const WITH_BOXES =
  '[--columns:2rem_minmax(0,4fr)_minmax(0,4fr)_10rem_6.5rem_8rem] xl:[--columns:2rem_minmax(0,4fr)_minmax(0,5fr)_12.5rem_7.5rem_8.25rem]';
export const BOX = 'size-5 cursor-pointer accent-brand md:size-4';

interface BillLinesProps {
  readonly label: string;
  readonly byPaid?: boolean;
  /** The box that selects all rows. Omitted if the list has no boxes. */
  readonly selectAll?: ReactNode;
  readonly children: ReactNode;
}

/** A list of bills, with one `BillLine` for each. */
export function BillLines({ label, byPaid = false, selectAll, children }: BillLinesProps) {
  const t = useTranslations('BillRows');
  const columns = [
    ...(selectAll ? [{ text: t('selectAll'), control: selectAll }] : []),
    { text: t('reference') },
    { text: t('customer') },
    { text: t('status') },
    { text: t(byPaid ? 'paidAt' : 'created') },
    { text: t('amountInShillings'), numeric: true },
  ];
  return (
    <List label={label} columns={columns} widths={selectAll ? WITH_BOXES : WIDTHS}>
      {children}
    </List>
  );
}

/** What the search found in a bill. */
interface Finding {
  readonly reference: Marked;
  /** The text in which the search found the typed text; null if this is the reference or the amount. */
  readonly value: Marked | null;
  readonly valueOf: 'customer' | 'other';
  readonly amountMatches: boolean;
}

interface BillLineProps {
  readonly bill: BillRow;
  readonly href: string;
  readonly byPaid?: boolean;
  /** Omitted if the list has no boxes. */
  readonly choice?: { readonly selected: boolean; readonly toggle: () => void };
  readonly found?: Finding | undefined;
}

/** A bill in a list: two or three lines on a phone, one row on a wide screen. */
export function BillLine({ bill, href, byPaid = false, choice, found }: BillLineProps) {
  const t = useTranslations('BillRows');
  const time = byPaid ? bill.paidAt : bill.created;
  const { customer, description, mobile } = bill;
  const about = customer ?? description;
  const value = found?.value;
  const number = value && found.valueOf === 'other' ? <MarkedText text={value} /> : mobile;
  return (
    <Line selected={choice?.selected ?? false}>
      {choice && (
        <LineCell at="lead">
          <label className="relative z-1 grid size-11 cursor-pointer place-items-center md:size-8 [@media(scripting:none)]:hidden">
            <input
              type="checkbox"
              aria-label={t('select', { reference: bill.reference })}
              checked={choice.selected}
              onChange={choice.toggle}
              className={BOX}
            />
          </label>
        </LineCell>
      )}
      <LineCell at="title">
        <LineLink href={href} text={bill.reference}>
          {found && <MarkedText text={found.reference} />}
        </LineLink>
      </LineCell>
      <LineCell at="third" className="text-small">
        <span className="flex min-w-0 items-baseline gap-x-2">
          {about !== null && (
            <span className="min-w-0 truncate md:text-base" title={about}>
              <bdi>{value && found.valueOf === 'customer' ? <MarkedText text={value} /> : about}</bdi>
            </span>
          )}
          {/* The number is above the link of the row, so that it can be selected and copied. */}
          {number !== null && (
            <span className={`relative z-1 whitespace-nowrap text-muted tabular-nums ${about === null || found ? '' : 'md:max-xl:hidden'}`}>
              {number}
            </span>
          )}
        </span>
        {customer !== null && description !== null && (
          <span className="block truncate text-muted max-md:hidden" title={description}>
            <bdi>{description}</bdi>
          </span>
        )}
      </LineCell>
      <LineCell at="below">
        <BillState bill={bill} />
      </LineCell>
      <LineCell at="endBelow" title={time?.exact} className="md:max-xl:text-small">
        {time?.text ?? '–'}
      </LineCell>
      <LineCell at="end" className="font-semibold">
        {found?.amountMatches ? <mark className={MARK}>{bill.amount}</mark> : bill.amount}
      </LineCell>
    </Line>
  );
}

const REQUESTS = {
  failed: { icon: 'cross', colour: 'text-danger' },
  waiting: { icon: 'phone', colour: 'text-busy-ink' },
  unknown: { icon: 'question', colour: 'text-amber-ink' },
} as const;

/** The status of a bill, and the outcome of its newest payment request. */
function BillState({ bill }: { readonly bill: BillRow }) {
  const t = useTranslations('BillRows');
  const status = useTranslations('Status');
  const { request } = bill;
  const look = request && REQUESTS[request.kind];
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      {/* A wide screen shows one line of badges, so that all rows have the same height. An overdue bill is not paid. */}
      <span className="contents min-w-0 items-center gap-x-1 md:flex md:basis-full md:overflow-hidden">
        <span className={bill.overdue !== null && bill.status === 'NOT_PAID' ? 'max-md:contents md:sr-only' : 'contents'}>
          <Badge {...BILL_LOOKS[bill.status]} text={t(`short_${bill.status}`)} />
        </span>
        {bill.overpaid !== null && <Badge {...OVERPAID_LOOK} text={status('OVERPAID', { amount: bill.overpaid })} />}
        {bill.closed && <Badge tone="quiet" icon="lock" text={t('closed')} />}
        {bill.overdue && <Badge tone="wait" icon="calendar" text={bill.overdue} />}
        {bill.check && <Badge tone="quiet" icon="flask" text={t('check')} />}
        {bill.paid !== null && bill.overpaid === null && (
          <span className="text-small whitespace-nowrap text-muted tabular-nums">{t('paidPart', { paid: bill.paid })}</span>
        )}
      </span>
      {request && look && (
        <span
          className="flex min-w-0 items-center gap-1 text-small md:basis-full"
          title={`${request.text} · ${request.phone} · ${request.ago}`}
        >
          <Icon name={look.icon} className={`size-3.5 shrink-0 ${look.colour}`} />
          <span className="min-w-0 truncate">
            {request.text}
            <span className="text-muted">
              {bill.mobile === null && ` · ${request.phone}`}
              {' · '}
              {request.ago}
            </span>
          </span>
        </span>
      )}
    </span>
  );
}
