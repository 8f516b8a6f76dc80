import { type Locale, translator } from '@/lib/i18n/translator';
import { isReleaseProblem } from '@/lib/payments/attempts/release-own-attempt';
import { Answer } from '../answer';

const TOLD = ['created', 'createdAsked', 'asked', 'noted', 'closed', 'reopened'] as const;
/** What says what comes next: not of a bill that was paid while somebody looked. */
const AHEAD: readonly string[] = ['created', 'createdAsked', 'asked', 'reopened'];

interface ToldNoticeProps {
  readonly told: string | null;
  readonly paid: boolean;
  readonly released: boolean;
  readonly problem: string | null;
  readonly locale: Locale;
}

/** What came of what somebody just did. */
export function ToldNotice({ told, paid, released, problem, locale }: ToldNoticeProps) {
  const release = translator(locale, 'Release');
  const done = TOLD.find((one) => one === told && !(paid && AHEAD.includes(one)));
  const good = done ? translator(locale, 'BillPage')(`told_${done}`) : released ? release('released') : null;
  const bad = isReleaseProblem(problem) ? release(problem) : null;
  const text = good ?? bad;
  if (text === null) return null;
  return <Answer text={text} good={good !== null} />;
}
