import { type Locale, translator } from '@/lib/i18n/translator';
import { isReleaseProblem } from '@/lib/payments/release-own-attempt';
import { Answer } from '../answer';

const TOLD = ['created', 'createdAsked', 'asked', 'noted', 'closed', 'reopened'] as const;

interface ToldNoticeProps {
  readonly told: string | null;
  readonly released: boolean;
  readonly problem: string | null;
  readonly locale: Locale;
}

/** What came of what somebody just did. */
export function ToldNotice({ told, released, problem, locale }: ToldNoticeProps) {
  const release = translator(locale, 'Release');
  const done = TOLD.find((one) => one === told);
  const good = done ? translator(locale, 'BillPage')(`told_${done}`) : released ? release('released') : null;
  const bad = isReleaseProblem(problem) ? release(problem) : null;
  const text = good ?? bad;
  if (text === null) return null;
  return <Answer text={text} good={good !== null} />;
}
