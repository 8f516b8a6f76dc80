import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Look } from '@/components/ui/badge';
import { reportIncident } from '@/components/ui/forms/connection';
import type { CounterState } from '@/lib/backoffice/counter/counter-rules';
import { browserStorage, type KeptBill, keptBillsOf } from './kept-bills';
import { type SendResult, sendBill } from './send-bill';

const RETRY_MS = 3_000;
const RETRY_MAX_MS = 20_000;

/**
 * The state of a kept bill. `kept`: not sent yet. `checking`: sent, but no answer came. `stale`: the server refused it as too old, so the
 * cashier must confirm it again. `signed_out`: not accepted, because the session has ended.
 */
type KeptState = 'kept' | 'sending' | 'checking' | 'stale' | 'signed_out';

export interface OutboxBill extends KeptBill {
  readonly state: KeptState;
}

interface Options {
  /** Identifies the storage of the kept bills: the member, merchant and environment. */
  readonly owner: string;
  /** The address of the data route. */
  readonly address: string;
  /** Called with the final result of a bill, after the bill was removed from the device. */
  readonly onResult: (bill: KeptBill, result: Extract<SendResult, { kind: 'sent' | 'wrong' }>) => void;
}

/**
 * Stores entered bills on the device and sends them until the server has answered. A bill is stored before it is sent, and removed only
 * after the final answer, so it may be sent several times. The server creates it once. Bills from earlier visits to the page are sent too.
 */
export function useOutbox({ owner, address, onResult }: Options) {
  const [states, setStates] = useState<ReadonlyMap<string, KeptState>>(new Map());
  const [bills, setBills] = useState<readonly KeptBill[]>([]);
  const store = useMemo(() => (typeof window === 'undefined' ? null : keptBillsOf(owner, browserStorage())), [owner]);
  const busy = useRef(new Set<string>());
  /**
   * The ids of the bills that the server refused as stale, each with the `confirmedAt` that was refused. These bills are not sent until the
   * cashier confirms them again or deletes them.
   */
  const stale = useRef(new Map<string, number>());
  const failures = useRef(0);
  const timer = useRef<number | undefined>(undefined);
  const report = useRef(onResult);
  report.current = onResult;

  const mark = useCallback((id: string, state: KeptState | null) => {
    setStates((before) => {
      const after = new Map(before);
      if (state) after.set(id, state);
      else after.delete(id);
      return after;
    });
  }, []);

  const sendOne = useCallback(
    async (bill: KeptBill): Promise<boolean> => {
      if (!store || busy.current.has(bill.id)) return true;
      busy.current.add(bill.id);
      // The bill is stored before the request starts, because the page may be closed before the answer arrives.
      store.keep({ ...bill, sent: true });
      mark(bill.id, 'sending');
      const result = await sendBill(address, bill);
      busy.current.delete(bill.id);
      if (result.kind === 'stale') stale.current.set(bill.id, bill.confirmedAt);
      if (result.kind === 'sent' || result.kind === 'wrong') {
        store.remove(bill.id);
        mark(bill.id, null);
        report.current(bill, result);
      } else {
        mark(bill.id, result.kind === 'unknown' ? 'checking' : result.kind);
        if (result.kind === 'signed_out') reportIncident({ trouble: 'ended', again: null, repeatable: true });
      }
      setBills(store.list());
      return result.kind !== 'unknown' && result.kind !== 'signed_out';
    },
    [store, address, mark],
  );

  const flush = useCallback(async () => {
    if (!store) return;
    window.clearTimeout(timer.current);
    setBills(store.list());
    const due = () => store.list().filter(({ id, confirmedAt }) => stale.current.get(id) !== confirmedAt);
    let failed = !navigator.onLine;
    for (const { id } of due()) {
      // The bill is read again, because the cashier may have deleted or changed it while another bill was sent.
      const bill = failed ? undefined : due().find((one) => one.id === id);
      if (bill && !(await sendOne(bill))) failed = true;
    }
    failures.current = failed ? failures.current + 1 : 0;
    if (due().length > 0) timer.current = window.setTimeout(flush, Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** Math.min(4, failures.current)));
  }, [store, sendOne]);

  useEffect(() => {
    const now = () => {
      failures.current = 0;
      flush();
    };
    now();
    const events = ['online', 'focus'] as const;
    for (const event of events) window.addEventListener(event, now);
    return () => {
      for (const event of events) window.removeEventListener(event, now);
      window.clearTimeout(timer.current);
    };
  }, [flush]);

  const keep = useCallback(
    (bill: KeptBill) => {
      store?.keep(bill);
      mark(bill.id, null);
      flush();
    },
    [store, flush, mark],
  );
  const discard = useCallback(
    (id: string) => {
      store?.remove(id);
      mark(id, null);
      setBills(store?.list() ?? []);
    },
    [store, mark],
  );
  const waiting = bills.map((bill): OutboxBill => ({ ...bill, state: states.get(bill.id) ?? (bill.sent ? 'checking' : 'kept') }));
  return { waiting, inMemory: store?.countInMemory() ?? 0, keep, discard };
}

export const COUNTER_LOOKS: Readonly<Record<CounterState, Look>> = {
  open: { tone: 'quiet', icon: 'circle' },
  waiting: { tone: 'busy', icon: 'phone' },
  unknown: { tone: 'wait', icon: 'question' },
  declined: { tone: 'bad', icon: 'cross' },
  part: { tone: 'wait', icon: 'half' },
  paid: { tone: 'good', icon: 'check' },
  overpaid: { tone: 'wait', icon: 'warning' },
  closed: { tone: 'quiet', icon: 'lock' },
};

export const KEPT_LOOKS: Readonly<Record<KeptState, Look>> = {
  kept: { tone: 'wait', icon: 'offline' },
  sending: { tone: 'busy', icon: 'send' },
  checking: { tone: 'wait', icon: 'question' },
  stale: { tone: 'wait', icon: 'hourglass' },
  signed_out: { tone: 'wait', icon: 'lock' },
};
