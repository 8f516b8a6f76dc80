import type { Place } from '@/components/dashboard/place';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Icon } from '@/components/ui/icon';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { ShownEndpoint } from '@/lib/webhooks/page/show-endpoint';

interface PauseFormProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly place: Place;
  readonly endpoint: Pick<ShownEndpoint, 'status' | 'failingSince'>;
  readonly locale: Locale;
}

/** Pauses or resumes the endpoint. */
export function PauseForm({ action, place, endpoint, locale }: PauseFormProps) {
  const t = translator(locale, 'Hooks');
  const stopped = endpoint.status !== 'active';
  const offered = stopped
    ? [{ does: 'resume', text: t('resume'), hint: t('resumeText') }]
    : [
        { does: 'pause', text: t('pause'), hint: t('pauseText') },
        ...(endpoint.failingSince === null ? [] : [{ does: 'resume', text: t('resumeNow'), hint: t('resumeText') }]),
      ];
  return (
    <div className="mt-4 grid gap-3">
      {offered.map(({ does, text, hint }) => (
        <ActionForm key={does} action={action} hidden={{ ...place, do: does }} className="flex flex-wrap items-center gap-3">
          <SubmitButton look={does === 'resume' ? 'primary' : 'plain'}>
            <Icon name={does === 'resume' ? 'send' : 'pause'} /> {text}
          </SubmitButton>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">{hint}</span>
        </ActionForm>
      ))}
    </div>
  );
}
