import { Badge } from '@/components/ui/badge';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import type { AccountSession } from '@/lib/accounts/account/manage-account';
import { describeDevice } from '@/lib/accounts/describe-device';
import { formatInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';

interface SessionListProps {
  readonly sessions: readonly AccountSession[];
  /** Ends the session in the form, or all others if the form has none. */
  readonly end: (form: FormData) => Promise<void>;
  readonly locale: Locale;
}

export function SessionList({ sessions, end, locale }: SessionListProps) {
  const t = translator(locale, 'Account');
  return (
    <>
      <ul>
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, current }) => {
          const { browser, system } = describeDevice(userAgent);
          const device = t('device', { browser: browser ?? t('unknownBrowser'), system: system ?? t('unknownSystem') });
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 last:border-0">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
                  {device}
                  {current && <Badge tone="good" icon="check" text={t('thisDevice')} />}
                </p>
                <p className="text-sm text-muted wrap-anywhere">
                  {t('lastSeen', { when: formatInstant(lastSeenAt, locale) })}
                  {address !== null && ` ${t('from', { address })}`}
                </p>
                <p className="text-sm text-muted">{t('signedIn', { when: formatInstant(createdAt, locale) })}</p>
              </div>
              {!current && (
                <ActionForm action={end} hidden={{ session: id }} className="grid max-w-xs gap-2">
                  <SubmitButton look="plain" aria-label={t('endThis', { device })}>
                    {t('end')}
                  </SubmitButton>
                </ActionForm>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <ActionForm action={end} className="mt-3 grid gap-2">
          <SubmitButton look="plain">{t('endOthers')}</SubmitButton>
        </ActionForm>
      )}
    </>
  );
}
