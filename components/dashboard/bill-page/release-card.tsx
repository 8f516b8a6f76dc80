import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import type { WaitingAttempt } from '@/lib/bills/page/show-bill';
import { REASON_MAX } from '@/lib/core/text';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { BillPlace } from '../place';

interface ReleaseCardProps {
  readonly attempts: readonly WaitingAttempt[];
  readonly locale: Locale;
  /** Omitted if the viewer may not release attempts. */
  readonly release?: { readonly action: (form: FormData) => Promise<void>; readonly place: BillPlace };
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
                  hidden={{ ...release.place, attempt: attempt.id }}
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
