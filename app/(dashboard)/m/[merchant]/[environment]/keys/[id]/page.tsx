import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { DropAnswer } from '@/components/dashboard/keys/drop-answer';
import { KeyDays, KeyFacts } from '@/components/dashboard/keys/key-facts';
import { ChangeKeyForm, RollKeyForm } from '@/components/dashboard/keys/key-forms';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Fold } from '@/components/ui/fold';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, PageHeader } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { isProven, type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { keyFormValues, LABEL_MAX } from '@/lib/keys/key-form';
import { showKey } from '@/lib/keys/show-keys';
import { pageLocale } from '@/lib/server/preferences';
import { findVisit, openVisit } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { changeKeyAction, revokeKeyAction, rollKeyAction } from '../actions';

/** Cached, so that the title and the page share one query. */
const readKey = cache((access: MerchantAccess, id: string) => showKey(webRuntime(), access, id));

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { id, ...named } = await params;
  const visit = await findVisit(named);
  const shown = visit && (await readKey(visit.access, id));
  const title = translator(await pageLocale(), 'Keys')('title');
  return { title: shown ? `${shown.label} · ${title}` : title };
}

export default async function KeyPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const { runtime, access, locale, place, path } = await openVisit(named, `keys/${encodeURIComponent(id)}`);
  if (!may(access, 'keys.view')) return <NotAllowed access={access} permission="keys.view" locale={locale} />;
  const shown = await readKey(access, id);
  if (!shown) notFound();
  const t = translator(locale, 'KeyPage');
  const now = runtime.clock();
  const keyPath = (key: string) => path(`keys/${key}`);
  const query = await searchParams;
  const changes = may(access, 'keys.change') && shown.state === 'active';
  const proven = isProven(access, now);
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Keys', 'KeyPage', 'KeyScopes']}>
      <BackLink href={path('keys')}>{t('back')}</BackLink>
      <PageHeader help={<Help page="keys" locale={locale} />} title={shown.label} />
      {single(query.revoked) !== null && shown.state === 'revoked' && (
        <ResultNotice text={t('revokedTitle')}>
          <p>{t('revokedText')}</p>
        </ResultNotice>
      )}
      {shown.drop && <DropAnswer drop={shown.drop} shownId={shown.id} keyPath={keyPath} now={now} locale={locale} />}
      <KeyFacts shown={shown} locale={locale} />
      <KeyDays shown={shown} locale={locale} />
      {changes && !proven && <ConfirmCard locale={locale} back={keyPath(shown.id)} wrong={single(query.wrong) !== null} />}
      {changes && proven && (
        <>
          <Card id="roll" title={t('roll')}>
            <RollKeyForm
              key={shown.id}
              action={rollKeyAction}
              place={place}
              keyId={shown.id}
              rolled={shown.replacedById !== null}
              again={keyPath(shown.id)}
            />
          </Card>
          <Card id="change" title={t('change')}>
            <ChangeKeyForm
              key={shown.id}
              action={changeKeyAction}
              place={place}
              keyId={shown.id}
              labelMax={LABEL_MAX}
              present={shown.expiresAt ? formatInstant(shown.expiresAt, locale) : t('noEnd')}
              first={keyFormValues(shown)}
            />
          </Card>
          <Card id="revoke" title={t('revoke')}>
            <p>{t('revokeText')}</p>
            <Fold title={t('revoke')} look="danger" className="mt-2">
              <ActionForm action={revokeKeyAction} hidden={{ ...place, key: shown.id }} className="mt-2">
                <SubmitButton look="danger" className="wrap-anywhere">
                  {t('revokeNow', { label: shown.label })}
                </SubmitButton>
              </ActionForm>
            </Fold>
          </Card>
        </>
      )}
    </Shell>
  );
}
