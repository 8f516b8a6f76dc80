'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Icon } from '@/components/ui/icon';
import { usePolling } from '../use-polling';
import { BillHead, BillLine } from './bill-line';
import type { BillRow } from './bill-row';
import { type BulkActions, BulkBar } from './bulk-bar';

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
  /** Whether the list shows when a bill was paid, instead of when it was created. */
  readonly byPaid: boolean;
  readonly bulk: BulkActions;
}

/**
 * The rows of the list. They are refreshed in place. If newer bills exist, only their number is shown, as a link that loads them, so that
 * rows do not move while somebody reads. Selected bills stay selected.
 */
export function LiveBills({ rows, path, source, first, newerMax, byPaid, bulk }: LiveBillsProps) {
  const t = useTranslations('BillList');
  const router = useRouter();
  const { data } = usePolling<BillListUpdate>(source, { everyMs: EVERY_MS, immediately: true });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const fresh = new Map(data?.rows.map((row) => [row.id, row]));
  const newer = data?.newer ?? 0;
  const bills = rows.map((row) => fresh.get(row.id) ?? row);
  const chosen = bills.filter(({ id }) => selected.has(id));
  const all = chosen.length === bills.length;
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  /** Deselects the bills for which an action succeeded. The others stay selected. */
  const finish = (done: readonly string[]) => {
    if (done.length === 0) return;
    setSelected(new Set([...selected].filter((id) => !done.includes(id))));
    router.refresh();
  };
  const selection = {
    all,
    some: chosen.length > 0,
    toggle: () => setSelected(new Set(all ? [] : bills.map(({ id }) => id))),
  };
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
      <table role="table" aria-label={t('title')} className="block text-left">
        <thead role="rowgroup" className="block">
          <BillHead selection={selection} byPaid={byPaid} />
        </thead>
        <tbody role="rowgroup" className="block">
          {bills.map((bill) => (
            <BillLine
              key={bill.id}
              bill={bill}
              href={`${path}/${bill.id}`}
              byPaid={byPaid}
              selected={selected.has(bill.id)}
              onSelect={() => toggle(bill.id)}
            />
          ))}
        </tbody>
      </table>
      <BulkBar bills={chosen} path={path} actions={bulk} onClear={() => setSelected(new Set())} onDone={finish} />
    </>
  );
}
