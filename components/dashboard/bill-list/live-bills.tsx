'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl/react';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { BILL_LOOKS, OVERPAID_LOOK } from '../bill-looks';
import { usePolling } from '../use-polling';
import type { BillRow } from './bill-row';

const EVERY_MS = 4_000;

/** The answer of the data route. */
export interface BillListUpdate {
  readonly rows: readonly BillRow[];
  readonly newer: number;
}

interface LiveBillsProps {
  readonly rows: readonly BillRow[];
  /** The address of the list. The address of a bill is below it. */
  readonly path: string;
  /** The address of the data route. */
  readonly source: string;
  /** The address of the first page. */
  readonly first: string;
  readonly newerMax: number;
  /** Whether the list shows the time of payment. */
  readonly byPaid: boolean;
}

/**
 * The rows of the list. They are refreshed in place. Newer bills are only counted and shown on request, so that rows do not move while
 * somebody reads.
 */
export function LiveBills({ rows, path, source, first, newerMax, byPaid }: LiveBillsProps) {
  const t = useTranslations('BillList');
  const status = useTranslations('Status');
  const router = useRouter();
  const { data } = usePolling<BillListUpdate>(source, { everyMs: EVERY_MS, immediately: true });
  const fresh = new Map(data?.rows.map((row) => [row.id, row]));
  const newer = data?.newer ?? 0;
  return (
    <>
      <div role="status">
        {newer > 0 && (
          <Link
            href={first}
            prefetch={false}
            onClick={() => router.refresh()}
            className="mb-3 flex min-h-control items-center justify-center gap-2 rounded-lg bg-brand-soft px-4 py-2 font-semibold text-brand underline underline-offset-2"
          >
            <Icon name="retry" />
            {newer < newerMax ? t('newer', { count: newer }) : t('newerMany', { count: newerMax })}
          </Link>
        )}
      </div>
      <Table caption={t('title')} columns={[t('reference'), t('amount'), t('status'), t('mobile'), t(byPaid ? 'paidAt' : 'created')]}>
        {rows
          .map((row) => fresh.get(row.id) ?? row)
          .map((bill) => (
            <Row key={bill.id} pairs>
              <Cell>
                <TextLink href={`${path}/${bill.id}`} className="line-clamp-2">
                  {bill.reference}
                </TextLink>
              </Cell>
              <Cell place="right" whole>
                {bill.amount}
                {bill.paid !== null && <span className="block text-sm text-muted">{t('paidOf', { paid: bill.paid })}</span>}
              </Cell>
              <Cell>
                <span className="flex flex-wrap gap-1">
                  <Badge {...BILL_LOOKS[bill.status]} text={status(bill.status)} />
                  {bill.overpaid !== null && <Badge {...OVERPAID_LOOK} text={status('OVERPAID', { amount: bill.overpaid })} />}
                  {bill.closed && <Badge tone="quiet" icon="lock" text={t('closed')} />}
                </span>
              </Cell>
              <Cell place={bill.mobile === null ? 'nowhere' : 'below'} whole>
                <span className="text-sm text-muted md:text-base md:text-ink">{bill.mobile ?? '–'}</span>
              </Cell>
              <Cell place="right" whole>
                <span className="text-sm text-muted md:text-base md:text-ink">{byPaid ? bill.paidAt : bill.created}</span>
              </Cell>
            </Row>
          ))}
      </Table>
    </>
  );
}
