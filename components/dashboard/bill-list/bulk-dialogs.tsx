'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button, buttonClass, type Look } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { randomId } from '@/components/ui/forms/random-id';
import { formatMoney } from '@/lib/i18n/format';
import { ReasonField } from '../reason-field';
import type { BillRow } from './bill-row';
import { BulkReport } from './bulk-report';
import { type BulkForm, type BulkState, leftOf } from './bulk-state';

interface BulkDialogProps {
  /** The selected bills. */
  readonly bills: readonly BillRow[];
  readonly form: BulkForm;
  /** Called when the dialog closes, with the ids of the bills for which the action succeeded. */
  readonly onFinish: (done: readonly string[]) => void;
}

export function RequestDialog(props: BulkDialogProps) {
  return <BulkDialog {...props} kind="request" look="primary" possible={({ mayRequest }) => mayRequest} />;
}

export function CloseDialog(props: BulkDialogProps) {
  return <BulkDialog {...props} kind="close" look="danger" possible={({ mayClose }) => mayClose} />;
}

interface KindProps {
  readonly kind: 'close' | 'request';
  readonly look: Look;
  /** Returns whether the action is probably possible for a bill. The server checks this again, because the bill may have changed. */
  readonly possible: (bill: BillRow) => boolean;
}

function BulkDialog({ bills, form, onFinish, kind, look, possible }: BulkDialogProps & KindProps) {
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
        <button
          type="button"
          disabled={!bills.some(possible)}
          title={bills.some(possible) ? undefined : t('nonePossible')}
          className={`${buttonClass(look === 'danger' ? 'plain' : look)} cursor-pointer`}
        >
          {t(kind)}
        </button>
      }
      title={t(`${kind}Title`, { count })}
      close={t('cancel')}
    >
      <BulkFormBody
        key={formId}
        form={form}
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
  readonly form: BulkForm;
  readonly hidden: Readonly<Record<string, string | readonly string[]>>;
  readonly bills: readonly BillRow[];
  readonly kind: 'close' | 'request';
  readonly onDone: (ids: readonly string[]) => void;
  readonly onClose: () => void;
  readonly button: ReactNode;
  readonly children: ReactNode;
}

function BulkFormBody({ form: { action, place }, hidden, bills, kind, onDone, onClose, button, children }: BulkFormBodyProps) {
  const t = useTranslations('BulkBills');
  const [{ result, problem, typed }, send] = useFormAction<BulkState>(
    async (before, data) => {
      const after = await action(before, data);
      if (after.result) onDone(after.result.done);
      return after;
    },
    { result: null, problem: null, typed: '' },
  );
  if (result) return <BulkReport result={result} bills={bills} kind={kind} onClose={onClose} />;
  return (
    <ActionForm action={send} hidden={{ ...place, ...hidden }} problem={problem} className="grid gap-4">
      {children}
      {kind === 'close' && button !== null && <ReasonField id="bulk-reason" typed={typed} />}
      <div className="flex flex-wrap gap-3">
        {button}
        <Button type="button" look="plain" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </ActionForm>
  );
}
