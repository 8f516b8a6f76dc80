import { ResultNotice } from '@/components/dashboard/result-notice';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import type { BillView, WaitingAttempt } from '@/lib/backoffice/bill-page/show-bill';
import type { PlainAction } from '@/lib/entry/server/form-action';
import { isReleaseRefusal } from '@/lib/gateway/attempts/release-attempt';
import { REASON_MAX } from '@/lib/platform/core/text';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface ReleaseCardProps {
  readonly attempts: readonly WaitingAttempt[];
  readonly locale: Locale;
  /** Omitted if the viewer may not release attempts. */
  readonly release?: { readonly action: PlainAction; readonly bill: string };
}

/** Attempts with an unknown outcome, and the form to release them. */
export function ReleaseCard({ attempts, locale, release }: ReleaseCardProps) {
  const t = translator(locale, 'Release');
  return (
    <Card id="release" title={t('title')}>
      <p>{t('text')}</p>
      <ul className="mt-3 grid gap-4">
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <p className="font-semibold">{t('attempt', { amount: formatMoney(attempt.amount), mobile: attempt.mobile })}</p>
            <p className="text-sm text-muted">{t('since', { time: formatInstant(attempt.unknownSince, locale) })}</p>
            {release && !attempt.releasable && (
              <p className="text-sm">{t('from', { time: formatInstant(attempt.releasableFrom, locale) })}</p>
            )}
            {release && attempt.releasable && (
              <Fold title={t('open')} about={attempt.mobile} look="danger">
                <ActionForm
                  action={release.action}
                  hidden={{ bill: release.bill, attempt: attempt.id }}
                  className="mt-2 grid max-w-xl gap-3 rounded-lg bg-danger-soft p-3"
                >
                  <p className="text-sm">{t('question')}</p>
                  <Field
                    id={`reason-${attempt.id}`}
                    name="reason"
                    label={t('reason')}
                    hint={t('reasonHint')}
                    maxLength={REASON_MAX}
                    required
                    autoComplete="off"
                  />
                  <SubmitButton look="danger">{t('now')}</SubmitButton>
                </ActionForm>
              </Fold>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const RESULTS = ['created', 'createdAsked', 'asked', 'waysAsked', 'noted', 'closed', 'reopened', 'saved', 'recorded', 'corrected'] as const;
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
  waysAsked: ['paid'],
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
