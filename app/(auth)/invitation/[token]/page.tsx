import type { Metadata } from 'next';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { JoinForm } from '@/components/dashboard/cashiers/join-form';
import { AcceptForm } from '@/components/dashboard/team/accept-form';
import { buttonClass } from '@/components/ui/button';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Notice } from '@/components/ui/notice';
import { Texts } from '@/components/ui/texts';
import { showCashierInvitation } from '@/lib/accounts/cashiers/show-cashier-invitation';
import { PASSWORD_MIN } from '@/lib/accounts/passwords/password-limits';
import { type InvitationView, showInvitation } from '@/lib/accounts/team/show-invitation';
import { formatMobile } from '@/lib/core/mobile';
import type { Locale } from '@/lib/i18n/locale';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { acceptAction, joinAction, signInAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Invitation')('plainTitle'), robots: { index: false } };
}

/** Accepts an invitation: a new person enters a name and a password, and a person with an account must be signed in. */
export default async function InvitationPage({ params }: { readonly params: Promise<{ token: string }> }) {
  const runtime = webRuntime();
  const locale = await pageLocale();
  const { token } = await params;
  const cashier = await showCashierInvitation(runtime, token);
  if (cashier) {
    const t = translator(locale, 'CashierJoin');
    return (
      <PlainPage locale={locale} title={t('title', { merchant: cashier.merchantName })}>
        {cashier.state === 'open' ? (
          <Texts locale={locale} messages={pickMessages(locale, ['CashierJoin'])}>
            <p className="text-muted">{t('intro', { name: cashier.name, mobile: formatMobile(cashier.mobile) })}</p>
            <JoinForm action={joinAction} token={token} />
          </Texts>
        ) : (
          <>
            <Notice tone="wait" text={t(cashier.state)} />
            {cashier.state === 'used' && (
              <a href="/sign-in" className={buttonClass('primary')}>
                {t('signIn')}
              </a>
            )}
          </>
        )}
      </PlainPage>
    );
  }
  const found = await showInvitation(runtime, { token, session: await sessionToken(runtime) });
  const t = translator(locale, 'Invitation');
  if (!found) {
    return (
      <PlainPage locale={locale} title={t('plainTitle')}>
        <Notice tone="bad" text={t('unknown')} />
      </PlainPage>
    );
  }
  return (
    <PlainPage locale={locale} title={t('title', { merchant: found.merchantName })}>
      {found.state === 'open' ? (
        <OpenInvitation found={found} token={token} locale={locale} />
      ) : (
        <>
          <Notice tone="wait" text={t(found.state)} />
          {found.state === 'used' && (
            <a href={`/m/${found.slug}/live/bills`} className={buttonClass('plain')}>
              {t('signIn')}
            </a>
          )}
        </>
      )}
    </PlainPage>
  );
}

function OpenInvitation({ found, token, locale }: { readonly found: InvitationView; readonly token: string; readonly locale: Locale }) {
  const t = translator(locale, 'Invitation');
  const { reader, email, signedInAs, merchantName } = found;
  const role = translator(locale, 'Shell')(`role_${found.role}`);
  if (reader === 'other') {
    return (
      <>
        <Notice tone="bad" text={t('wrong_person', { email, other: signedInAs ?? '' })} />
        <a href="/sign-out" className={buttonClass('plain')}>
          {t('signOut')}
        </a>
      </>
    );
  }
  return (
    <>
      <p className="text-muted">{t('intro', { merchant: merchantName, role, email })}</p>
      {reader === 'known' ? (
        <>
          <p>{t('sign_in_first', { email })}</p>
          <ActionForm action={signInAction} guest hidden={{ token }} className="grid">
            <SubmitButton className="w-full">{t('signIn')}</SubmitButton>
          </ActionForm>
        </>
      ) : (
        <Texts locale={locale} messages={pickMessages(locale, ['Invitation', 'PasswordField'])}>
          <AcceptForm
            action={acceptAction}
            token={token}
            merchant={merchantName}
            email={email}
            least={reader === 'new' ? PASSWORD_MIN : null}
          />
        </Texts>
      )}
    </>
  );
}
