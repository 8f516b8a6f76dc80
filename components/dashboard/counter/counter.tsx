'use client';

import { useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '@/components/ui/button';
import { randomId } from '@/components/ui/forms/random-id';
import { Notice } from '@/components/ui/notice';
import type { Place } from '../place';
import { usePolling } from '../use-polling';
import { CloseShift } from './close-shift';
import { EntryForm, NOTHING_TYPED, type Typed } from './entry-form';
import type { KeptBill } from './kept-bills';
import { KeptPanel } from './kept-panel';
import type { CounterBill, CounterData } from './present-counter';
import { ResultPanel } from './result-panel';
import type { FieldProblem, SendResult } from './send-bill';
import { ShiftBills } from './shift-bills';
import { prepareSound } from './sounds';
import { useChanges } from './use-changes';
import { useLeaveGuard } from './use-leave-guard';
import { useOutbox } from './use-outbox';
import { useShell } from './use-shell';

const QUICK_MS = 2_000;
const SLOW_MS = 10_000;

interface CounterProps {
  /** The address of this page. Its data routes are below it. */
  readonly path: string;
  readonly place: Place;
  /** The id of the member. The bills that this device keeps belong to this member. */
  readonly member: string;
  /** Null on the page that the device shows without a connection. */
  readonly first: CounterData | null;
  readonly close: (form: FormData) => Promise<void>;
}

/** The counter: the form for a bill, the live result of the bill, and the list of the shift's bills. */
export function Counter({ path, place, member, first, close }: CounterProps) {
  const t = useTranslations('Counter');
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [shown, setShown] = useState<string | null>(null);
  const [fresh, setFresh] = useState<readonly CounterBill[]>([]);
  const { data, error, mutate } = usePolling<CounterData>(`${path}/bills`, {
    ...(first && { first }),
    everyMs: (latest) => {
      const live = ({ state, entryId }: CounterBill) => state === 'waiting' || (entryId === shown && state !== 'paid');
      return latest?.bills.some(live) ? QUICK_MS : SLOW_MS;
    },
    immediately: true,
  });
  // A bill that was just sent is shown at once, although the answer of the last poll does not contain it yet.
  const bills = useMemo(() => {
    const polled = data?.bills ?? [];
    return [...fresh.filter(({ entryId }) => !polled.some((bill) => bill.entryId === entryId)), ...polled];
  }, [data, fresh]);
  useChanges(
    bills,
    useCallback((amount: string) => t('paidTitle', { amount }), [t]),
  );

  const onResult = useCallback(
    (kept: KeptBill, result: Extract<SendResult, { kind: 'sent' | 'wrong' }>) => {
      if (result.kind === 'sent') setFresh((before) => [result.bill, ...before].slice(0, 5));
      else {
        setTyped({ amount: kept.amount, reference: kept.reference, mobile: kept.mobile });
        setProblems(result.problems);
        setShown(null);
      }
      mutate();
    },
    [mutate],
  );
  useShell(path, member);
  const { waiting, inMemory, keep, discard } = useOutbox({
    owner: `${place.merchant}/${place.environment}/${member}`,
    address: `${path}/bills`,
    onResult,
  });
  useLeaveGuard(inMemory, t('leaveGuard', { kept: inMemory }));

  const enter = (prompt: boolean) => {
    prepareSound();
    const missing: FieldProblem[] = [];
    if (!/[1-9]/.test(typed.amount)) missing.push({ field: 'amount', text: t('amountMissing') });
    if (prompt && typed.mobile.trim() === '') missing.push({ field: 'mobile', text: t('mobileMissing') });
    setProblems(missing);
    if (missing.length > 0) return;
    const id = randomId();
    keep({ ...typed, id, prompt, confirmedAt: Date.now(), sent: false });
    setTyped(NOTHING_TYPED);
    setShown(id);
  };
  const next = () => {
    setShown(null);
    setProblems([]);
  };
  const drop = (id: string) => {
    discard(id);
    next();
  };
  const kept = waiting.find(({ id }) => id === shown);
  const bill = kept ? undefined : bills.find(({ entryId }) => entryId === shown);
  // The button for the next customer is highlighted only once nothing more is expected from the present one, so that it does not invite a
  // cashier to leave a bill that is not paid yet.
  const settled = bill?.state === 'paid' || bill?.state === 'overpaid' || bill?.state === 'closed';
  // If the server has created a kept bill but its answer was lost, both lists contain the bill. It is shown only as a kept bill.
  const confirmed = bills.filter(({ entryId }) => !waiting.some(({ id }) => id === entryId));
  const signIn = `/sign-in?${new URLSearchParams({ callbackUrl: path })}`;
  return (
    <div data-says-connection className="grid gap-4 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:items-start lg:gap-8">
      <section aria-label={t('title')} className="grid gap-3 rounded-xl border border-line bg-surface p-4">
        {error && <Notice tone="wait" role="status" text={t('offline')} />}
        {kept || bill ? (
          <>
            {kept && <KeptPanel bill={kept} onKeep={keep} onDiscard={drop} signIn={signIn} />}
            {bill && (
              <ResultPanel
                key={bill.entryId}
                bill={bill}
                again={`${path}/bills/again`}
                onChanged={(changed) => {
                  setFresh((before) => [changed, ...before]);
                  mutate();
                }}
              />
            )}
            <Button type="button" look={settled ? 'primary' : 'plain'} autoFocus onClick={next} className="mt-2 min-h-14">
              {t('next')}
            </Button>
          </>
        ) : (
          <EntryForm typed={typed} onTyped={setTyped} problems={problems} onEnter={enter} />
        )}
      </section>
      <section aria-labelledby="counter-shift" className="grid content-start gap-3">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div>
            <h2 id="counter-shift" className="text-small font-semibold text-muted">
              {data?.shift ? t('shift', { since: data.shift.since }) : t('noShift')}
            </h2>
            <p className="text-subfigure tabular-nums">{data?.shift?.received ?? '–'}</p>
            <p className="text-small text-muted">
              {data?.shift && t('shiftBills', { ...data.shift })}
              {data && !data.shift && t('today', { ...data.today })}
              {!data && t('loading')}
            </p>
            {data?.shift && <p className="text-small text-muted">{t('today', { ...data.today })}</p>}
          </div>
          {data?.shift && <CloseShift shift={data.shift} today={data.today} kept={waiting.length} place={place} close={close} />}
        </div>
        <ShiftBills waiting={waiting} bills={confirmed} current={shown} onChoose={setShown} />
      </section>
    </div>
  );
}
