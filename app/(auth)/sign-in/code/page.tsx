import { redirect } from 'next/navigation';
import { type PlainPageProps, titled } from '@/app/page-props';
import { PlainPage } from '@/components/dashboard/auth/plain-page';
import { readUntil, waitTime } from '@/components/dashboard/wait-time';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Field } from '@/components/ui/forms/fields';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { isCodeDue } from '@/lib/accounts/sessions/read-session';
import { ownPath } from '@/lib/http/same-origin';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { codeAction } from './actions';

export const generateMetadata = titled('SignInMore', 'codeTitle');

/** The second step of signing in. Redirects to the first step if no password was checked before. */
export default async function CodePage({ searchParams }: PlainPageProps) {
  const locale = await pageLocale();
  const t = translator(locale, 'SignInMore');
  const runtime = webRuntime();
  const { callbackUrl, wrong, until } = await searchParams;
  const wanted = ownPath(typeof callbackUrl === 'string' ? callbackUrl : null, runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  if (!(await isCodeDue(runtime, await sessionToken(runtime)))) redirect(`/sign-in?${new URLSearchParams({ callbackUrl: wanted })}`);
  const wait = readUntil(until, runtime.clock());
  return (
    <PlainPage locale={locale} title={t('codeTitle')}>
      <p className="text-muted">{t('codeIntro')}</p>
      {wait && (
        <Notice tone="wait" role="alert">
          <p>{t('wait', { time: waitTime(wait, locale) })}</p>
          <p className="mt-1 text-sm">{t('codeWaitHint')}</p>
        </Notice>
      )}
      <ActionForm action={codeAction} guest hidden={{ callbackUrl: wanted }} className="grid gap-4">
        <Field
          id="code"
          name="code"
          label={t('code')}
          problem={wrong === undefined || wait ? null : t('codeWrong')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          maxLength={30}
        />
        <SubmitButton className="w-full">{t('codeButton')}</SubmitButton>
      </ActionForm>
      <Fold title={t('recoveryTitle')}>
        <p className="mt-1">{t('recoveryText')}</p>
        <p className="mt-1 text-sm text-muted">{t('recoveryLost')}</p>
      </Fold>
      <p>
        <TextLink href="/sign-in">{t('startAgain')}</TextLink>
      </p>
    </PlainPage>
  );
}
