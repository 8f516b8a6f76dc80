import { PlaceFields, type PlaceProps } from '@/components/dashboard/keys/place-fields';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { ShownEndpoint } from '@/lib/webhooks/show-endpoint';

interface PauseFormProps extends PlaceProps {
  readonly action: (form: FormData) => Promise<void>;
  readonly endpoint: Pick<ShownEndpoint, 'status' | 'failingSince'>;
  readonly locale: Locale;
}

/** Stops the calls, and begins them again. */
export function PauseForm({ action, merchant, environment, endpoint, locale }: PauseFormProps) {
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
        <form key={does} action={action} className="flex flex-wrap items-center gap-3">
          <PlaceFields merchant={merchant} environment={environment} />
          <input type="hidden" name="do" value={does} />
          <Button look={does === 'resume' ? 'primary' : 'plain'}>
            <Icon name={does === 'resume' ? 'send' : 'pause'} /> {text}
          </Button>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">{hint}</span>
        </form>
      ))}
    </div>
  );
}
