import type { Senti } from '@/lib/core/money';
import { addDays, type Day } from './periods';
import type { UnpaidDay } from './unpaid-store';

interface Bounds {
  /** The lowest and the highest age of the bills in days, both inclusive. `oldest` is null if there is no highest age. */
  readonly newest: number;
  readonly oldest: number | null;
}

/** The ages of unpaid bills, in days since their creation. */
const AGES = {
  today: { newest: 0, oldest: 0 },
  week: { newest: 1, oldest: 7 },
  month: { newest: 8, oldest: 30 },
  older: { newest: 31, oldest: null },
} as const satisfies Readonly<Record<string, Bounds>>;
type Age = keyof typeof AGES;

interface Unpaid {
  readonly bills: number;
  /** The sum of the missing amounts of these bills, senti. */
  readonly amount: Senti;
}

interface UnpaidAge extends Unpaid {
  readonly age: Age;
  /** The first and the last day of creation, both inclusive. `first` is null for the age `older`, which has no first day. */
  readonly first: Day | null;
  readonly last: Day;
}

/** The open bills that are not fully paid, in all and by their age. */
export interface UnpaidFigures extends Unpaid {
  /** The open bills that are not fully paid and were due before today. `last` is yesterday. */
  readonly overdue: Unpaid & { readonly last: Day };
  readonly ages: readonly UnpaidAge[];
}

export function unpaidFigures(days: readonly UnpaidDay[], overdue: Unpaid, today: Day): UnpaidFigures {
  const sum = (found: readonly UnpaidDay[]): Unpaid => ({
    bills: found.reduce((total, { bills }) => total + bills, 0),
    amount: found.reduce((total, { amount }) => total + amount, 0n),
  });
  const ageFigures = (age: Age): UnpaidAge => {
    const { newest, oldest } = AGES[age];
    const first = oldest === null ? null : addDays(today, -oldest);
    const last = addDays(today, -newest);
    // A bill can have a day after today, if the clock of the server that created it was ahead. Such a bill counts as created today.
    const within = days.filter(({ day }) => (first === null || day >= first) && (day <= last || age === 'today'));
    return { age, first, last, ...sum(within) };
  };
  return {
    ...sum(days),
    overdue: { ...overdue, last: addDays(today, -1) },
    ages: [ageFigures('today'), ageFigures('week'), ageFigures('month'), ageFigures('older')],
  };
}
