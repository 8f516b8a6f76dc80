'use client';

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePolling } from '@/components/dashboard/live-refresh';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ActionForm, SubmitButton, useFormAction } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { randomId } from '@/components/ui/forms/random-id';
import { Icon } from '@/components/ui/icon';
import { Notice } from '@/components/ui/notice';
import { useTranslations } from '@/components/ui/texts';
import type { CounterState } from '@/lib/backoffice/counter/counter-rules';
import type { FormAction } from '@/lib/entry/server/form-action';
import type { Visit } from '@/lib/entry/server/visit';
import { CURRENCY } from '@/lib/platform/i18n/format';
import type { KeepShell } from './counter-worker';
import { EntryForm, grouped, NOTHING_TYPED, shownMobile, type Typed, type Way } from './entry-form';
import type { KeptBill } from './kept-bills';
import type { CounterBill, CounterData } from './present-counter';
import { KeptPanel, ResultPanel } from './result-panel';
import type { FieldProblem, SendResult } from './send-bill';
import { playSound, prepareSound } from './sounds';
import { COUNTER_LOOKS, KEPT_LOOKS, type OutboxBill, useOutbox } from './use-outbox';

const QUICK_MS = 2_000;
const SLOW_MS = 10_000;

interface CounterProps {
  /** The address of this page. Its data routes are below it. */
  readonly path: string;
  readonly place: Visit['place'];
  /** The id of the member. The bills that this device keeps belong to this member. */
  readonly member: string;
  /** Null on the page that the device shows without a connection. */
  readonly first: CounterData | null;
  /** Whether the member may take cash. */
  readonly takesCash: boolean;
  /** The address below which the pages of bills are, for members who may release payment requests there. Null for everybody else. */
  readonly releaseAt: string | null;
  readonly close: CloseAction;
}

type CloseAction = FormAction<'shift' | 'counted'>;

/** The counter: the form for a bill, the live result of the bill, and the list of the shift's bills. */
export function Counter({ path, place, member, first, takesCash, releaseAt, close }: CounterProps) {
  const t = useTranslations('Counter');
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [shown, setShown] = useState<string | null>(null);
  const [inCash, setInCash] = useState<string | null>(null);
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

  /** An error about a field disappears when the field is changed. */
  const type = (next: Typed) => {
    setTyped(next);
    setProblems(problems.filter(({ field }) => field === null || next[field] === typed[field]));
  };
  const enter = (how: Way) => {
    prepareSound();
    const prompt = how === 'prompt';
    const missing: FieldProblem[] = [];
    if (!/[1-9]/.test(typed.amount)) missing.push({ field: 'amount', text: t('amountMissing') });
    if (prompt && typed.mobile.trim() === '') missing.push({ field: 'mobile', text: t('mobileMissing') });
    // Cash is not kept for later, because the cashier must know that it is recorded.
    if (how === 'cash' && (error || !navigator.onLine)) missing.push({ field: null, text: t('cashOffline') });
    setProblems(missing);
    if (missing.length > 0) return;
    const id = randomId();
    keep({ ...typed, id, prompt, confirmedAt: Date.now(), sent: false });
    setTyped(NOTHING_TYPED);
    setShown(id);
    setInCash(how === 'cash' ? id : null);
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
                cash={takesCash ? { address: `${path}/bills/cash`, releaseAt } : null}
                inCash={bill.entryId === inCash}
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
          <EntryForm typed={typed} onTyped={type} problems={problems} takesCash={takesCash} onEnter={enter} />
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
              {data?.shift && t('shiftBills', { paid: data.shift.paid, bills: data.shift.bills })}
              {data && !data.shift && t('today', { ...data.today })}
              {!data && t('loading')}
            </p>
            {data?.shift && data.shift.cash !== null && (
              <p className="text-small text-muted">{t('shiftCash', { cash: data.shift.cash })}</p>
            )}
            {data?.shift && <p className="text-small text-muted">{t('today', { ...data.today })}</p>}
          </div>
          {data?.shift && <CloseShift shift={data.shift} today={data.today} kept={waiting.length} close={close} />}
        </div>
        <ShiftBills waiting={waiting} bills={confirmed} current={shown} onChoose={setShown} />
      </section>
    </div>
  );
}

interface CloseShiftProps {
  readonly shift: NonNullable<CounterData['shift']>;
  readonly today: CounterData['today'];
  /** How many bills this device has not sent yet. If the shift is closed before they are sent, they will belong to the next shift. */
  readonly kept: number;
  readonly close: CloseAction;
}

/** Closes the shift after the member has confirmed it and counted the cash, and leads to the summary for printing. */
function CloseShift({ shift: { cash, ...shift }, today, kept, close }: CloseShiftProps) {
  const t = useTranslations('Counter');
  const { sender, field } = useFormAction(close, { counted: '' });
  return (
    <Dialog
      trigger={
        <Button type="button" look="plain">
          <Icon name="lock" />
          {t('closeShift')}
        </Button>
      }
      title={t('closeTitle')}
      text={`${t('closeText', { ...shift, unpaid: shift.bills - shift.paid })} ${t('closeToday', { ...today })}`}
      close={t('cancel')}
    >
      {kept > 0 && <Notice tone="wait" text={t('closeKept', { kept })} />}
      <ActionForm action={sender} hidden={{ shift: shift.id }} className="grid gap-4">
        {cash !== null && (
          <Field
            {...field('counted')}
            label={t('counted')}
            hint={t('countedHint')}
            unit={CURRENCY}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            required
          />
        )}
        <SubmitButton className="w-full">{t('closeNow')}</SubmitButton>
      </ActionForm>
    </Dialog>
  );
}

interface ShiftBillsProps {
  readonly waiting: readonly OutboxBill[];
  readonly bills: readonly CounterBill[];
  readonly current: string | null;
  readonly onChoose: (entryId: string) => void;
}

const ROW =
  'flex w-full min-h-control cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-1 py-row text-left hover:bg-sunken aria-[current]:bg-brand-soft';

/** The bills of the shift, the newest first. Kept bills, which are not sent yet, come before all others. */
function ShiftBills({ waiting, bills, current, onChoose }: ShiftBillsProps) {
  const t = useTranslations('Counter');
  if (waiting.length + bills.length === 0) return <p className="text-muted">{t('noBills')}</p>;
  return (
    <ul>
      {waiting.map(({ id, amount, mobile, reference, state }) => (
        <li key={id}>
          <button type="button" onClick={() => onChoose(id)} aria-current={id === current ? 'true' : undefined} className={ROW}>
            {/* A phone number needs the whole width of a narrow screen, so the state is below. */}
            <span className="min-w-20 flex-1">
              <span className={`block truncate text-muted ${reference ? '' : 'tabular-nums'}`}>
                {reference || shownMobile(mobile) || '–'}
              </span>
              <Badge {...KEPT_LOOKS[state]} text={t(`badge_${state}`)} />
            </span>
            <strong className="ml-auto min-w-28 text-right whitespace-nowrap tabular-nums">
              {CURRENCY} {grouped(amount)}
            </strong>
          </button>
        </li>
      ))}
      {bills.map(({ entryId, reference, amount, at, state, allCash }) => (
        <li key={entryId}>
          <button type="button" onClick={() => onChoose(entryId)} aria-current={entryId === current ? 'true' : undefined} className={ROW}>
            <span className="min-w-20 flex-1">
              <span className="block truncate">{reference}</span>
              <span className="block text-small text-muted tabular-nums">{at}</span>
            </span>
            <Badge {...COUNTER_LOOKS[state]} text={t(allCash ? 'badge_cash' : `badge_${state}`)} />
            <strong className="ml-auto min-w-28 text-right whitespace-nowrap tabular-nums">{amount}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}

const PAID: readonly CounterState[] = ['paid', 'overpaid'];

/** Plays a sound when a bill of this page is paid or declined, and shows the last payment in the title of the tab. */
function useChanges(bills: readonly CounterBill[], paidTitle: (amount: string) => string): void {
  const known = useRef(new Map<string, CounterState>());
  useEffect(() => {
    for (const { entryId, state, amount } of bills) {
      const before = known.current.get(entryId);
      known.current.set(entryId, state);
      if (before === undefined || before === state) continue;
      if (PAID.includes(state) && !PAID.includes(before)) {
        playSound('paid');
        document.title = paidTitle(amount);
      }
      if (state === 'declined') playSound('declined');
    }
  }, [bills, paidTitle]);
}

/** While bills are only in the memory of the page, asks for confirmation before signing out, because they are lost with the page. */
function useLeaveGuard(kept: number, question: string): void {
  useEffect(() => {
    if (kept === 0) return;
    const guard = (event: SubmitEvent) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.action.endsWith('/api/auth/signout')) return;
      if (!window.confirm(question)) event.preventDefault();
    };
    document.addEventListener('submit', guard, true);
    return () => document.removeEventListener('submit', guard, true);
  }, [kept, question]);
}

/** Lets the service worker store the page on the device, so that the page opens without a connection. Needs https, or localhost. */
function useShell(path: string, member: string): void {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const keep = async () => {
      await navigator.serviceWorker.register(`${path}/worker`, { scope: path });
      const { active } = await navigator.serviceWorker.ready;
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const scripts = Array.from(document.scripts, ({ src }) => src);
      const styles = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'), ({ href }) => href);
      const message: KeepShell = {
        kind: 'keep',
        member,
        shell: `${path}?shell`,
        files: [...loaded, ...scripts, ...styles].filter((file) => file !== ''),
      };
      active?.postMessage(message);
    };
    // Without a service worker the counter works too, but does not open without a connection.
    keep().catch(() => undefined);
  }, [path, member]);
}
