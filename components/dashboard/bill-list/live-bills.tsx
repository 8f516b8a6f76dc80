'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { usePolling } from '@/components/dashboard/live-refresh';
import { Icon } from '@/components/ui/icon';
import { useTranslations } from '@/components/ui/texts';
import { BillLine, BillLines, BOX } from './bill-line';
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
  const selectAll = (
    <SelectAll all={all} some={chosen.length > 0} toggle={() => setSelected(new Set(all ? [] : bills.map(({ id }) => id)))} />
  );
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
      <BillLines label={t('title')} byPaid={byPaid} selectAll={selectAll}>
        {bills.map((bill) => (
          <BillLine
            key={bill.id}
            bill={bill}
            href={`${path}/${bill.id}`}
            byPaid={byPaid}
            choice={{ selected: selected.has(bill.id), toggle: () => toggle(bill.id) }}
          />
        ))}
      </BillLines>
      <BulkBar bills={chosen} path={path} actions={bulk} onClear={() => setSelected(new Set())} onDone={finish} />
    </>
  );
}

function SelectAll({ all, some, toggle }: { readonly all: boolean; readonly some: boolean; readonly toggle: () => void }) {
  const t = useTranslations('BillRows');
  return (
    <label className="flex h-11 w-max cursor-pointer items-center gap-4 px-3 md:size-8 md:justify-center md:p-0 [@media(scripting:none)]:hidden">
      <input
        type="checkbox"
        aria-label={t('selectAll')}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = some && !all;
        }}
        onChange={toggle}
        className={BOX}
      />
      <span aria-hidden="true" className="md:hidden">
        {t('selectAll')}
      </span>
    </label>
  );
}
