import type { Place } from '@/components/dashboard/place';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { ADVANCE_CHOICES } from '@/lib/sandbox/time-schema';
import { type SandboxTimeView, UPCOMING_KINDS } from '@/lib/sandbox/upcoming';
import { spanText } from './span-text';

interface TimeCardProps {
  readonly upcoming: SandboxTimeView['upcoming'];
  readonly toNext: (form: FormData) => Promise<void>;
  readonly advance: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly locale: Locale;
}

/**
 * Shows when the next step of each kind comes in the sandbox (an answer of a simulated phone, a webhook, an expiry, a due date). Its forms
 * make everything that is still to come happen earlier.
 */
export function TimeCard({ upcoming, toNext, advance, place, locale }: TimeCardProps) {
  const t = translator(locale, 'SandboxTime');
  return (
    <Card id="time" title={t('title')}>
      <p className="mb-2 max-w-prose">{t('text')}</p>
      <ActionForm action={toNext} hidden={place} className="grid grid-cols-[minmax(0,1fr)]">
        <ul>
          {UPCOMING_KINDS.map((kind) => (
            <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 sm:flex-nowrap">
              <div className="min-w-0">
                <strong className="block">{t(kind)}</strong>
                <span className="text-small text-muted">{t(`${kind}Text`)}</span>
              </div>
              {upcoming[kind] === null ? (
                <span className="text-muted max-sm:basis-full sm:shrink-0">{t('nothing')}</span>
              ) : (
                <div className="flex flex-col gap-x-4 gap-y-2 max-sm:basis-full sm:shrink-0 sm:flex-row sm:items-center">
                  <span>{t('inSpan', { span: spanText(upcoming[kind], locale) })}</span>
                  <SubmitButton look="plain" name="upcoming" value={kind} aria-label={t('forwardNamed', { what: t(kind) })}>
                    {t('forward')}
                  </SubmitButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      </ActionForm>
      <ActionForm action={advance} hidden={place} className="mt-4 flex flex-wrap items-end gap-3">
        <div className="flex-1 basis-64 sm:max-w-80">
          <Select
            id="seconds"
            label={t('all')}
            options={ADVANCE_CHOICES.map((seconds) => ({ value: String(seconds), text: spanText(seconds, locale) }))}
          />
        </div>
        <SubmitButton className="">{t('forward')}</SubmitButton>
      </ActionForm>
    </Card>
  );
}
