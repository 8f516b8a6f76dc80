import { type Locale, translator } from '@/lib/i18n/translator';
import { isReleaseRefusal } from '@/lib/payments/attempts/release-attempt';
import { ResultNotice } from '../result-notice';

const RESULTS = ['created', 'createdAsked', 'asked', 'noted', 'closed', 'reopened', 'saved'] as const;
/** Results that mention the next step. They are not shown if the bill has been paid meanwhile. */
const NEXT_STEPS: readonly string[] = ['created', 'createdAsked', 'asked', 'reopened'];

interface BillResultProps {
  readonly result: string | null;
  readonly paid: boolean;
  readonly released: boolean;
  readonly problem: string | null;
  readonly locale: Locale;
}

export function BillResult({ result, paid, released, problem, locale }: BillResultProps) {
  const release = translator(locale, 'Release');
  const done = RESULTS.find((one) => one === result && !(paid && NEXT_STEPS.includes(one)));
  const good = done ? translator(locale, 'BillPage')(`told_${done}`) : released ? release('released') : null;
  const bad = problem !== null && isReleaseRefusal(problem) ? release(problem) : null;
  const text = good ?? bad;
  if (text === null) return null;
  return <ResultNotice text={text} good={good !== null} />;
}
