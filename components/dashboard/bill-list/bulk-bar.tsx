'use client';

import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { ReasonField } from '@/components/dashboard/bill-page/forms';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Focused } from '@/components/ui/focused';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { randomId } from '@/components/ui/forms/random-id';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { FormAction } from '@/lib/entry/server/form-action';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { BillRow } from './bill-row';
import { ExportDialog } from './export-dialog';

/** What a member can do with the selected bills. A property is null if the member's role does not allow the action. */
export interface BulkActions {
  readonly close: BulkAction | null;
  readonly request: BulkAction | null;
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
  const left = leftOf(bills);
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && t('selected', { count })}
      </p>
      {count > 0 && (
        <section
          aria-label={t('label')}
          data-page-end
          className="z-10 mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 rounded-xl border border-edge bg-surface p-3 shadow-lg sm:flex sm:flex-wrap tall:sticky tall:bottom-[calc(var(--phone-bar)+0.5rem)]"
        >
          <p className="min-w-0 sm:mr-auto">
            <span className="block font-semibold">{t('selected', { count })}</span>
            <span id="bulk-left" className="block text-small text-muted tabular-nums">
              {left > 0n ? t('outstanding', { amount: formatMoney(left) }) : t('nothingLeft')}
            </span>
          </p>
          <button
            type="button"
            aria-label={t('clear')}
            onClick={onClear}
            className="grid size-control cursor-pointer place-items-center rounded-lg text-muted hover:bg-sunken sm:order-last"
          >
            <Icon name="cross" className="size-5" />
          </button>
          {/* On a phone each button is as wide as the others, with its icon above its text. */}
          <div className="col-span-2 grid auto-cols-fr grid-flow-col gap-2 max-sm:*:flex-col max-sm:*:gap-0.5 max-sm:*:px-1 max-sm:*:text-xs sm:flex">
            {actions.request && <BulkDialog {...dialog} kind="request" action={actions.request} disabled={left === 0n} />}
            <Link
              href={`${path}/print?${new URLSearchParams(ids.map((id) => ['id', id]))}`}
              prefetch={false}
              className={buttonClass('plain')}
            >
              <Icon name="qr" className="size-4 max-sm:size-5" /> {t('print')}
            </Link>
            {actions.exported !== null && <ExportDialog address={actions.exported} query="" total={count} ids={ids} />}
            {actions.close && <BulkDialog {...dialog} kind="close" action={actions.close} />}
          </div>
        </section>
      )}
    </>
  );
}

interface BulkDialogProps {
  /** The selected bills. */
  readonly bills: readonly BillRow[];
  readonly action: BulkAction;
  readonly kind: 'close' | 'request';
  /** True if nothing is left to pay. The text beside the buttons says so. */
  readonly disabled?: boolean;
  /** Called when the dialog closes, with the ids of the bills for which the action succeeded. */
  readonly onFinish: (done: readonly string[]) => void;
}

/** The look and the icon of the button, and whether the action is probably possible for a bill. The server checks this again, because it may have changed. */
const KINDS = {
  close: { look: 'danger', icon: 'lock', possible: ({ mayClose }: BillRow) => mayClose },
  request: { look: 'primary', icon: 'send', possible: ({ mayRequest }: BillRow) => mayRequest },
} as const;

function BulkDialog({ bills, action, onFinish, kind, disabled = false }: BulkDialogProps) {
  const { look, icon, possible } = KINDS[kind];
  const t = useTranslations('BulkBills');
  const [open, setOpen] = useState(false);
  // The selected bills as they were when the dialog was opened. The list behind the dialog refreshes itself; the dialog must not change.
  const [asked, setAsked] = useState<readonly BillRow[]>([]);
  const [done, setDone] = useState<readonly string[]>([]);
  const [formId, setFormId] = useState('');
  const turn = (to: boolean) => {
    setOpen(to);
    if (!to) onFinish(done);
    else {
      setAsked(bills);
      setDone([]);
      setFormId(randomId());
    }
  };
  const able = asked.filter(possible);
  const skipped = asked.length - able.length;
  const amount = formatMoney(leftOf(able));
  const count = able.length;
  return (
    <Dialog
      open={open}
      onOpenChange={turn}
      trigger={
        <Button
          type="button"
          look={look === 'danger' ? 'plain' : look}
          disabled={disabled}
          aria-describedby={disabled ? 'bulk-left' : undefined}
        >
          <Icon name={icon} className="size-4 max-sm:size-5" /> {t(kind)}
        </Button>
      }
      title={count > 0 ? t(`${kind}Title`, { count }) : t(kind)}
      close={t('cancel')}
    >
      <BulkFormBody
        key={formId}
        action={action}
        hidden={{ bill: able.map(({ id }) => id), form: formId }}
        bills={asked}
        kind={kind}
        onDone={setDone}
        onClose={() => turn(false)}
        button={count > 0 ? <SubmitButton look={look}>{t(`${kind}Now`, { count })}</SubmitButton> : null}
      >
        {count === 0 ? <p>{t('nonePossible')}</p> : <p>{t(`${kind}Text`, { amount })}</p>}
        {count > 0 && skipped > 0 && <p className="text-muted">{t('skipped', { count: skipped })}</p>}
      </BulkFormBody>
    </Dialog>
  );
}

interface BulkFormBodyProps {
  readonly action: BulkAction;
  readonly hidden: Readonly<Record<string, string | readonly string[]>>;
  readonly bills: readonly BillRow[];
  readonly kind: 'close' | 'request';
  readonly onDone: (ids: readonly string[]) => void;
  readonly onClose: () => void;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

function BulkFormBody({ action, hidden, bills, kind, onDone, onClose, button, children }: BulkFormBodyProps) {
  const t = useTranslations('BulkBills');
  const act: BulkAction = async (before, data) => {
    const after = await action(before, data);
    if (after.done) onDone(after.done.done);
    return after;
  };
  const { sender, done, field } = useFormAction(act, {});
  if (done) return <BulkReport result={done} bills={bills} kind={kind} onClose={onClose} />;
  return (
    <ActionForm action={sender} hidden={hidden} className="grid gap-4">
      {children}
      {kind === 'close' && button !== null && <ReasonField {...field('reason')} id="bulk-reason" />}
      <div className="flex flex-wrap gap-3">
        {button}
        <Button type="button" look="plain" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </ActionForm>
  );
}

/** Shows for how many bills an action succeeded, and for each other bill why the action failed. */
function BulkReport({
  result: { done, others },
  bills,
  kind,
  onClose,
}: Pick<BulkFormBodyProps, 'bills' | 'kind' | 'onClose'> & { readonly result: BulkResult }) {
  const t = useTranslations('BulkBills');
  const text = t(kind === 'close' ? 'doneClose' : 'doneRequest', { count: done.length });
  const referenceOf = (id: string) => bills.find((bill) => bill.id === id)?.reference ?? id;
  return (
    <Focused label={text}>
      <Notice tone={done.length > 0 ? 'good' : 'wait'} title={text} />
      {others.length > 0 && (
        <div>
          <p className="font-semibold">{t('notDone', { count: others.length })}</p>
          <ul className="mt-1 grid gap-1">
            {others.map(({ id, why }) => (
              <li key={id} className="wrap-anywhere">
                {referenceOf(id)} <span className="text-muted">– {why}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Button type="button" onClick={onClose} className="justify-self-start">
        {t('finished')}
      </Button>
    </Focused>
  );
}

export interface BulkResult {
  readonly done: readonly string[];
  /** The bills for which the action was not possible, each with the reason. */
  readonly others: readonly { readonly id: string; readonly why: string }[];
}

type BulkAction = FormAction<string, BulkResult>;

/** Returns what is left to pay on bills that are not closed, in senti. */
function leftOf(bills: readonly Pick<BillRow, 'left' | 'closed'>[]): bigint {
  return bills.reduce((sum, { left, closed }) => (closed ? sum : sum + BigInt(left)), 0n);
}
