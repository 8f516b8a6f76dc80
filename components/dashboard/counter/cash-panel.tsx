import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/fields';
import { randomId } from '@/components/ui/forms/random-id';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import { readShillings } from '@/lib/platform/core/money';
import { CURRENCY, formatMoney } from '@/lib/platform/i18n/format';
import { grouped } from './entry-form';
import type { CounterBill } from './present-counter';
import { postJson } from './send-bill';

/** The answer of the data route. `problem`: why the cash was not recorded. */
export interface CashAnswer {
  readonly bill: CounterBill;
  readonly problem: string | null;
}

export interface CashPanelProps {
  readonly bill: CounterBill;
  /** The address of the data route that records cash. */
  readonly address: string;
  /** The address below which the pages of bills are, for members who may release payment requests there. Null for everybody else. */
  readonly releaseAt: string | null;
  readonly onChanged: (bill: CounterBill) => void;
  readonly onBack: () => void;
}

/** Takes cash for a bill, or asks the cashier to wait for an open payment request. */
export function CashPanel({ bill, releaseAt, onBack, ...form }: CashPanelProps) {
  const t = useTranslations('Counter');
  return (
    <div className="grid w-full max-w-sm gap-2 text-left">
      {bill.promptOpen ? (
        <>
          <Notice tone="wait" role="status" text={t('cash_prompt_open')} />
          {releaseAt !== null && bill.state === 'unknown' && (
            <a href={`${releaseAt}/${bill.billId}#release`} className={buttonClass('plain')}>
              {t('release')}
            </a>
          )}
        </>
      ) : (
        // Another amount is another payment, so the form then gets a new id.
        <CashForm key={bill.due} bill={bill} {...form} />
      )}
      <Button type="button" look="plain" onClick={onBack}>
        {t(bill.promptOpen ? 'wait' : 'back')}
      </Button>
    </div>
  );
}

/** Records cash. Without a connection, nothing is stored for later: the cashier must know that the cash is recorded. */
function CashForm({ bill, address, onChanged }: Pick<CashPanelProps, 'bill' | 'address' | 'onChanged'>) {
  const t = useTranslations('Counter');
  const [given, setGiven] = useState('');
  // All submissions of this form have the same id. So if an answer is lost and the cashier submits again, the cash is recorded once.
  const [form] = useState(randomId);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const amount = formatMoney(BigInt(bill.due));
  const change = changeOf(given, bill.due);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    const answer = await postJson<CashAnswer>(address, { bill: bill.billId, amount: bill.due, form });
    setPending(false);
    if (answer === null || answer === 'signed_out') return setProblem(t('cashNotReached'));
    setProblem(answer.problem);
    onChanged(answer.bill);
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field
        id="cash-given"
        inputMode="numeric"
        label={t('given')}
        unit={CURRENCY}
        value={grouped(given)}
        onChange={(event) => setGiven(event.target.value.replace(/\D/g, ''))}
        autoComplete="off"
        maxLength={15}
      />
      <output htmlFor="cash-given" className="min-h-8 text-title tabular-nums">
        {change !== null && t(change < 0n ? 'givenShort' : 'change', { amount: formatMoney(change < 0n ? -change : change) })}
      </output>
      {problem !== null && <Notice tone="bad" role="alert" text={problem} />}
      <Button disabled={pending} className="min-h-14">
        {t('cashReceived', { amount })}
      </Button>
    </form>
  );
}

/** Pure. Returns the change for money that a customer hands over, in senti; negative if it is too little. Null if nothing was entered. */
export function changeOf(given: string, due: string): bigint | null {
  const amount = readShillings(given);
  return amount === null ? null : amount - BigInt(due);
}
