import type { Place } from '@/components/dashboard/place';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Select } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import { Cell, Row, Table } from '@/components/ui/table';
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

/** What is still to come in the sandbox, and the forms that bring it forward. */
export function TimeCard({ upcoming, toNext, advance, place, locale }: TimeCardProps) {
  const t = translator(locale, 'SandboxTime');
  return (
    <Card id="time" title={t('title')}>
      <p className="mb-2 max-w-prose">{t('text')}</p>
      <ActionForm action={toNext} hidden={place} className="grid grid-cols-[minmax(0,1fr)]">
        <Table caption={t('title')} columns={[t('what'), t('next'), t('forward')]}>
          {UPCOMING_KINDS.map((kind) => (
            <Row key={kind}>
              <Cell>
                <strong className="block">{t(kind)}</strong>
                <span className="text-small text-muted">{t(`${kind}Text`)}</span>
              </Cell>
              <Cell label={t('next')} whole>
                {upcoming[kind] === null ? (
                  <span className="text-muted">{t('nothing')}</span>
                ) : (
                  t('inSpan', { span: spanText(upcoming[kind], locale) })
                )}
              </Cell>
              <Cell>
                {upcoming[kind] !== null && (
                  <SubmitButton look="plain" name="upcoming" value={kind} aria-label={t('forwardNamed', { what: t(kind) })}>
                    {t('forward')}
                  </SubmitButton>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      </ActionForm>
      <ActionForm action={advance} hidden={place} className="mt-4 flex flex-wrap items-end gap-3">
        <div className="min-w-48 flex-1 sm:max-w-72">
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
