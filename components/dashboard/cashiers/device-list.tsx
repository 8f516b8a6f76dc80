import { Badge } from '@/components/ui/badge';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { PINS_MAX } from '@/lib/accounts/cashier-rules';
import { describeDevice } from '@/lib/accounts/describe-device';
import type { TeamView } from '@/lib/accounts/team/list-team';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Place } from '../place';

interface DeviceListProps {
  readonly devices: TeamView['devices'];
  readonly members: TeamView['members'];
  readonly locale: Locale;
  /** Omitted if the viewer may not revoke devices or has not confirmed their identity. */
  readonly change?: { readonly place: Place; readonly revoke: (form: FormData) => Promise<void> };
}

/** The phones on which cashiers sign in with a PIN. */
export function DeviceList({ devices, members, locale, change }: DeviceListProps) {
  const t = translator(locale, 'Cashiers');
  const account = translator(locale, 'Account');
  return (
    <ul>
      {devices.map(({ id, userId, userAgent, wrongPins, lastUsedAt }) => {
        const name = members.find((member) => member.userId === userId)?.name ?? '';
        const { browser, system } = describeDevice(userAgent);
        const device = account('device', {
          browser: browser ?? account('unknownBrowser'),
          system: system ?? account('unknownSystem'),
        });
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 last:border-0">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <strong>{name}</strong> {device}
                {wrongPins >= PINS_MAX && <Badge tone="bad" icon="lock" text={t('locked')} />}
              </p>
              <p className="text-sm text-muted">{t('lastUsed', { when: formatInstant(lastUsedAt, locale) })}</p>
            </div>
            {change && (
              <ActionForm action={change.revoke} hidden={{ ...change.place, device: id }}>
                <SubmitButton look="plain" aria-label={t('revokeOf', { name, device })}>
                  {t('revoke')}
                </SubmitButton>
              </ActionForm>
            )}
          </li>
        );
      })}
    </ul>
  );
}
