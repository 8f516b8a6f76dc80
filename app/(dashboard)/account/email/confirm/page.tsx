import { finishEmailAction } from '@/app/(dashboard)/account/actions';
import { type PlainPageProps, titled } from '@/app/page-props';
import { AccountPage } from '@/components/dashboard/account/account-page';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { readEmailLink } from '@/lib/backoffice/email-links/change-email';
import { openAccount } from '@/lib/entry/server/visit';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Account', 'emailConfirmTitle');

/** The page of the mailed link. Only its button changes the e-mail address: mail scanners open every link, but press no buttons. */
export default async function ConfirmEmailPage({ searchParams }: PlainPageProps) {
  const { token, problem } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const { runtime, account, locale } = await openAccount(
    given === '' ? '/account/email/confirm' : `/account/email/confirm?${new URLSearchParams({ token: given })}`,
  );
  const t = translator(locale, 'Account');
  const to = await readEmailLink(runtime, account, given);
  const refusal = to === null ? 'emailLinkEnded' : problem === 'email_taken' ? 'email_taken' : null;
  return (
    <AccountPage account={account} locale={locale} title={t('emailConfirmTitle')} below>
      {refusal !== null || to === null ? (
        <Card>
          <Notice tone="bad" role="alert" text={t(refusal ?? 'emailLinkEnded')} />
          <ButtonLink href="/account/email" className="mt-4">
            {t('emailAgain')}
          </ButtonLink>
        </Card>
      ) : (
        <Card>
          <p className="wrap-anywhere">{t('emailConfirmText', { to, email: account.user.email })}</p>
          <p className="mt-1 text-sm text-muted">{t('emailEnds')}</p>
          <ActionForm action={finishEmailAction} guest hidden={{ token: given }} className="mt-4 grid gap-4">
            <SubmitButton>{t('emailConfirm')}</SubmitButton>
          </ActionForm>
        </Card>
      )}
    </AccountPage>
  );
}
