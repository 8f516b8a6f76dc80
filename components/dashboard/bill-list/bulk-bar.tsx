'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl/react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { formatMoney } from '@/lib/i18n/format';
import type { BillRow } from './bill-row';
import { CloseDialog, RequestDialog } from './bulk-dialogs';
import { type BulkForm, leftOf } from './bulk-state';
import { ExportDialog } from './export-dialog';

/** What a member can do with the selected bills. A property is null if the member's role does not allow the action. */
export interface BulkActions {
  readonly close: BulkForm | null;
  readonly request: BulkForm | null;
  /** The address of the export route; null if the member may not export bills. */
  readonly exported: string | null;
}

interface BulkBarProps {
  /** The selected bills. */
  readonly bills: readonly BillRow[];
  /** The address of the list. */
  readonly path: string;
  readonly actions: BulkActions;
  readonly onClear: () => void;
  /** Called after an action, with the ids of the bills for which it succeeded. */
  readonly onDone: (ids: readonly string[]) => void;
}

/** The bar with the actions for the selected bills. It stays at the bottom of the screen while the list is in view. */
export function BulkBar({ bills, path, actions, onClear, onDone }: BulkBarProps) {
  const t = useTranslations('BulkBills');
  const count = bills.length;
  const ids = bills.map(({ id }) => id);
  const dialog = { bills, onFinish: onDone };
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && t('selected', { count })}
      </p>
      {count > 0 && (
        <section
          aria-label={t('label')}
          data-page-end
          className="z-10 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-edge bg-surface p-3 shadow-lg tall:sticky tall:bottom-2"
        >
          <p className="mr-auto">
            <span className="block font-semibold">{t('selected', { count })}</span>
            <span className="block text-small text-muted tabular-nums">{t('outstanding', { amount: formatMoney(leftOf(bills)) })}</span>
          </p>
          <button
            type="button"
            aria-label={t('clear')}
            onClick={onClear}
            className="grid size-control cursor-pointer place-items-center rounded-lg text-muted hover:bg-sunken sm:order-last"
          >
            <Icon name="cross" className="size-5" />
          </button>
          <div className="grid w-full grid-cols-2 gap-2 whitespace-nowrap sm:flex sm:w-auto">
            {actions.request && <RequestDialog {...dialog} form={actions.request} />}
            <Link
              href={`${path}/print?${new URLSearchParams(ids.map((id) => ['id', id]))}`}
              prefetch={false}
              className={buttonClass('plain')}
            >
              {t('print')}
            </Link>
            {actions.exported !== null && <ExportDialog address={actions.exported} query="" total={count} ids={ids} />}
            {actions.close && <CloseDialog {...dialog} form={actions.close} />}
          </div>
        </section>
      )}
    </>
  );
}
