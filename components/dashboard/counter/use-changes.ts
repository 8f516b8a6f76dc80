import { useEffect, useRef } from 'react';
import type { CounterState } from '@/lib/counter/counter-rules';
import type { CounterBill } from './present-counter';
import { playSound } from './sounds';

const PAID: readonly CounterState[] = ['paid', 'overpaid'];

/** Plays a sound when a bill of this page is paid or declined, and shows the last payment in the title of the tab. */
export function useChanges(bills: readonly CounterBill[], paidTitle: (amount: string) => string): void {
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
