import type { ReactNode } from 'react';
import { type PlainPageProps, titled } from '@/app/page-props';
import { AccountPage } from '@/components/dashboard/account/account-page';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { LanguageChoice, ThemeChoice } from '@/components/dashboard/shell/preferences';
import { Badge } from '@/components/ui/badge';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { Card } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { openAccount } from '@/lib/entry/server/visit';
import { describeDevice } from '@/lib/identity/accounts/describe-device';
import { NAME_MAX } from '@/lib/identity/accounts/person-name';
import { type AccountSession, listAccountSessions } from '@/lib/identity/accounts/sign-in/manage-account';
import { readSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { formatMobile } from '@/lib/platform/core/mobile';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { endSessionsAction, saveNameAction } from './actions';

export const generateMetadata = titled('Account', 'title');

export default async function OwnAccountPage({ searchParams }: PlainPageProps) {
  const { runtime, account, locale } = await openAccount('/account');
  const t = translator(locale, 'Account');
  const { named, problem, ended, moved } = await searchParams;
  const factor = await readSecondFactor(runtime, account);
  const on = factor.kind === 'on';
  const sessions = await listAccountSessions(runtime, account);
  const cashier = account.user.mobile;
  return (
    <AccountPage account={account} locale={locale} title={t('title')} intro={t('intro')}>
      {named !== undefined && <ResultNotice text={t('nameSaved')} />}
      {ended !== undefined && <ResultNotice text={t('sessionsEnded', { ended: Number(ended) || 0 })} />}
      {moved !== undefined && <ResultNotice text={t('emailChanged', { ended: Number(moved) || 0 })} />}
      <Card id="profile" title={t('profile')}>
        <ActionForm action={saveNameAction} className="grid max-w-md gap-4">
          <Field
            id="name"
            label={t('name')}
            hint={t('nameHint')}
            problem={
              problem === 'name_required' || problem === 'name_too_long' || problem === 'name_address'
                ? t(problem, { max: NAME_MAX })
                : null
            }
            defaultValue={account.user.name}
            autoComplete="name"
            maxLength={NAME_MAX}
            required
          />
          <SubmitButton>{t('save')}</SubmitButton>
        </ActionForm>
        <div className="mt-4 border-t border-line pt-4">
          {cashier === null ? (
            <SettingRow title={t('email')} text={account.user.email} href="/account/email" action={t('changeEmail')} />
          ) : (
            <>
              <h3 className="font-semibold">{translator(locale, 'Cashiers')('mobile')}</h3>
              <p className="text-sm text-muted">{formatMobile(cashier)}</p>
              <p className="mt-2 text-sm text-muted">{translator(locale, 'Cashiers')('accountText')}</p>
            </>
          )}
        </div>
      </Card>
      {cashier === null && (
        <Card id="security" title={t('security')}>
          <SettingRow title={t('password')} text={t('passwordText')} href="/account/password" action={t('changePassword')} />
          <SettingRow
            title={t('secondFactor')}
            text={t(on ? 'secondFactorOnText' : 'secondFactorOffText')}
            href="/account/second-factor"
            action={t(on ? 'secondFactorManage' : 'secondFactorSetUp')}
          >
            <Badge tone={on ? 'good' : 'quiet'} icon={on ? 'check' : 'circle'} text={t(on ? 'secondFactorOn' : 'secondFactorOff')} />
          </SettingRow>
        </Card>
      )}
      <Card id="sessions" title={t('sessions')}>
        <SessionList sessions={sessions} locale={locale} />
      </Card>
      <Card id="preferences" title={t('preferences')}>
        <div className="grid max-w-md gap-4">
          <LanguageChoice locale={locale} />
          <ThemeChoice locale={locale} />
        </div>
      </Card>
    </AccountPage>
  );
}

interface SettingRowProps {
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
  readonly children?: ReactNode;
}

function SettingRow({ title, text, href, action, children }: SettingRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3 first-of-type:pt-0 last:border-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="flex flex-wrap items-center gap-3 font-semibold">
          {title}
          {children}
        </h3>
        <p className="text-sm text-muted wrap-anywhere">{text}</p>
      </div>
      <ButtonLink href={href}>
        {action}
        <span className="sr-only">{`: ${title}`}</span>
      </ButtonLink>
    </div>
  );
}

function SessionList({ sessions, locale }: { readonly sessions: readonly AccountSession[]; readonly locale: Locale }) {
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
                <ActionForm action={endSessionsAction} hidden={{ session: id }} className="grid max-w-xs gap-2">
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
        <ActionForm action={endSessionsAction} className="mt-3 grid gap-2">
          <SubmitButton look="plain">{t('endOthers')}</SubmitButton>
        </ActionForm>
      )}
    </>
  );
}
