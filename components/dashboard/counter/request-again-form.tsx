'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/fields';
import { randomId } from '@/components/ui/forms/random-id';
import type { CounterBill } from './present-counter';
import { postJson } from './send-bill';

/** The answer of the data route. */
export type AgainAnswer = { readonly kind: 'sent'; readonly bill: CounterBill } | { readonly kind: 'problem'; readonly text: string };

interface RequestAgainProps {
  readonly bill: CounterBill;
  readonly address: string;
  readonly onChanged: (bill: CounterBill) => void;
}

/**
 * Sends another payment request for a bill, to the same number or another one. Without a connection, the form shows an error and does not
 * store the request for later: by then, the customer may have left the counter.
 */
export function RequestAgain({ bill, address, onChanged }: RequestAgainProps) {
  const t = useTranslations('Counter');
  const [mobile, setMobile] = useState(bill.mobile ?? '');
  // All submissions of this form have the same id. So if an answer is lost and the cashier submits again, no second prompt is sent.
  const [form] = useState(randomId);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    const answer = await postJson<AgainAnswer>(address, { bill: bill.billId, mobile, form });
    setPending(false);
    if (answer === null || answer === 'signed_out') setProblem(t('notReached'));
    else if (answer.kind === 'problem') setProblem(answer.text);
    else onChanged(answer.bill);
  };
  return (
    <form onSubmit={submit} className="grid w-full max-w-sm gap-2 text-left">
      <Field
        id="again-mobile"
        type="tel"
        inputMode="tel"
        label={t('mobile')}
        value={mobile}
        onChange={(event) => setMobile(event.target.value)}
        problem={problem}
        autoComplete="off"
        maxLength={30}
      />
      <Button disabled={pending}>{t('sendRequest')}</Button>
    </form>
  );
}
