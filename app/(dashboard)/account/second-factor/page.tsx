import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PlainPageProps, titled } from '@/app/page-props';
import { SecondFactorPanel } from '@/components/dashboard/account/account-forms';
import { AccountPage } from '@/components/dashboard/account/account-page';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { QrCode } from '@/components/pay/qr-code';
import { buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Illustration } from '@/components/ui/illustration';
import { Card } from '@/components/ui/layout';
import { openAccount } from '@/lib/entry/server/visit';
import { isProven } from '@/lib/identity/accounts/access/grant-access';
import { readSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { formatInstant } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';
import { codesAction, removeAction, startAction } from './actions';

export const generateMetadata = titled('Account', 'twoTitle');

export default async function SecondFactorPage({ searchParams }: PlainPageProps) {
  const { runtime, account, locale } = await openAccount('/account/second-factor');
  const t = translator(locale, 'Account');
  const { off, wrong } = await searchParams;
  const factor = await readSecondFactor(runtime, account);
  const proven = isProven(account, runtime.clock());
  return (
    <AccountPage account={account} locale={locale} title={t('twoTitle')} intro={t('twoIntro')} below>
      {off !== undefined && factor.kind === 'off' && <ResultNotice text={t('turnedOff')} />}
      {factor.kind === 'on' && !proven && (
        <Card>
          <p>{t('twoOnSince', { when: formatInstant(factor.since, locale) })}</p>
          <p className="text-muted">{t('codesLeft', { left: factor.codesLeft })}</p>
        </Card>
      )}
      {!proven ? (
        <ConfirmCard locale={locale} back="/account/second-factor" wrong={wrong !== undefined} />
      ) : factor.kind === 'off' ? (
        <Card>
          <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
            <Illustration name="phone" className="mx-auto shrink-0 text-brand sm:order-last" />
            <div className="grid min-w-0 flex-1 basis-64 gap-4">
              <ol className="grid gap-3">
                <li>
                  <p className="font-semibold">{t('twoPlan1')}</p>
                  <p className="text-small text-muted">{t('twoApps')}</p>
                </li>
                <li className="font-semibold">{t('twoStep2')}</li>
                <li>
                  <p className="font-semibold">{t('twoPlan3')}</p>
                  <p className="text-small text-muted">{t('codesText')}</p>
                </li>
              </ol>
              <ActionForm action={startAction}>
                <SubmitButton>{t('twoStart')}</SubmitButton>
              </ActionForm>
            </div>
          </div>
        </Card>
      ) : (
        <Card>
          <SecondFactorPanel action={codesAction} kind={factor.kind}>
            {factor.kind === 'on' ? (
              <>
                <p>{t('twoOnSince', { when: formatInstant(factor.since, locale) })}</p>
                <h2 className="mt-4 text-lg font-bold">{t('codesTitle')}</h2>
                <p className="text-muted">{t('codesText')}</p>
                <p className="mt-2 font-semibold">{t('codesLeft', { left: factor.codesLeft })}</p>
                <p className="text-sm text-muted">{t('renewText')}</p>
              </>
            ) : (
              <>
                <h2 className="text-lg font-bold">{t('twoStep1')}</h2>
                <p className="text-muted">{t('twoApps')}</p>
                <div className="my-4 flex flex-wrap items-center gap-4">
                  <div className="w-52 overflow-hidden rounded-lg border border-line">
                    <QrCode text={factor.uri} label={t('twoQr')} />
                  </div>
                  <div className="grid justify-items-start gap-2">
                    <p>{t('twoHere')}</p>
                    <a href={factor.uri} className={buttonClass('plain')}>
                      {t('twoOpen')}
                    </a>
                  </div>
                </div>
                <div data-shown="key">
                  <CopiedValue label={t('twoManual')} value={factor.secret} />
                </div>
                <h2 className="mt-4 text-lg font-bold">{t('twoStep2')}</h2>
              </>
            )}
          </SecondFactorPanel>
        </Card>
      )}
      {factor.kind === 'on' && proven && (
        <Card id="off" title={t('turnOffTitle')}>
          <p className="mb-3 text-muted">{t('turnOffText')}</p>
          <ActionForm action={removeAction}>
            <SubmitButton look="danger">{t('turnOff')}</SubmitButton>
          </ActionForm>
        </Card>
      )}
    </AccountPage>
  );
}
