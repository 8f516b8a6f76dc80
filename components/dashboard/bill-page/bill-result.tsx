import type { BillView } from '@/lib/bills/page/show-bill';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { isReleaseRefusal } from '@/lib/payments/attempts/release-attempt';
import { ResultNotice } from '../result-notice';

const RESULTS = ['created', 'createdAsked', 'asked', 'noted', 'closed', 'reopened', 'saved'] as const;
type Result = (typeof RESULTS)[number];

/** How far the payment of a bill is. `asked`: a payment request is open. `answered`: the last payment request has ended. */
type Progress = 'new' | 'asked' | 'answered' | 'paid';
/**
 * Some results have a text that announces the next step. For each such result: the states in which this step is over, so that the text is
 * no longer shown.
 */
const SHOWN_UNTIL: Readonly<Partial<Record<Result, readonly Progress[]>>> = {
  created: ['asked', 'answered', 'paid'],
  createdAsked: ['answered', 'paid'],
  asked: ['answered', 'paid'],
  reopened: ['paid'],
};

export function resultProgress({ bill, open, timeline }: Pick<BillView, 'bill' | 'open' | 'timeline'>): Progress {
  if (bill.status === 'FULLY_PAID') return 'paid';
  if (open.length > 0) return 'asked';
  return bill.paidAmount > 0n || timeline.some(({ kind }) => kind === 'prompt') ? 'answered' : 'new';
}

interface BillResultProps {
  readonly result: string | null;
  readonly progress: Progress;
  readonly released: boolean;
  readonly problem: string | null;
  readonly locale: Locale;
}

export function BillResult({ result, progress, released, problem, locale }: BillResultProps) {
  const release = translator(locale, 'Release');
  const done = RESULTS.find((one) => one === result && !SHOWN_UNTIL[one]?.includes(progress));
  const good = done ? translator(locale, 'BillPage')(`told_${done}`) : released ? release('released') : null;
  const bad = problem !== null && isReleaseRefusal(problem) ? release(problem) : null;
  const text = good ?? bad;
  if (text === null) return null;
  return <ResultNotice text={text} good={good !== null} />;
}
