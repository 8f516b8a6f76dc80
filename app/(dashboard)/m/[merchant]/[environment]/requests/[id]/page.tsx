import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { type PageProps, single } from '@/app/page-props';
import { Message } from '@/components/dashboard/requests/message';
import { RequestFacts } from '@/components/dashboard/requests/request-facts';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { PageHeader } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { showRequest } from '@/lib/requests/show-request';
import { pageLocale } from '@/lib/server/preferences';
import { findVisit, openVisit } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { replayAction } from '../actions';

const RESULTS = ['replayed', 'not_found', 'not_replayable', 'key_inactive'] as const;

/** Cached, so that the title and the page share one query. */
const readRequest = cache((access: MerchantAccess, id: string) => showRequest(webRuntime(), access, id));

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { id, ...named } = await params;
  const visit = await findVisit(named);
  const shown = visit && (await readRequest(visit.access, id));
  const title = translator(await pageLocale(), 'Requests')('title');
  return { title: shown ? `${shown.method} ${shown.status} · ${title}` : title };
}

export default async function RequestPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const { access, locale, place, path } = await openVisit(named, `requests/${encodeURIComponent(id)}`);
  if (!may(access, 'keys.view')) return <NotAllowed access={access} permission="keys.view" locale={locale} />;
  const shown = await readRequest(access, id);
  if (!shown) notFound();
  const t = translator(locale, 'Requests');
  const asked = single((await searchParams).result);
  const result = RESULTS.find((one) => one === asked);
  const noBody = t(shown.method === 'POST' ? 'notRead' : 'noBody');
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Requests']}>
      <BackLink href={path('requests')}>{t('back')}</BackLink>
      <PageHeader title={`${shown.method} ${shown.path}`} />
      {result && <ResultNotice text={t(`result_${result}`)} good={result === 'replayed'} />}
      <RequestFacts shown={shown} path={path} locale={locale} />
      {shown.replay === 'possible' && (
        <ActionForm action={replayAction} hidden={{ ...place, request: shown.id }} className="flex flex-wrap items-center gap-3">
          <SubmitButton sending={t('replaying')}>{t('replay')}</SubmitButton>
          <span className="text-sm text-muted">{t('replayText')}</span>
        </ActionForm>
      )}
      {shown.replay === 'incomplete' && <p className="text-sm text-muted">{t('noReplay')}</p>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
        <Message id="sent" title={t('sent')} headers={shown.headers} body={shown.body} noBody={noBody} locale={locale} />
        <Message id="answer" title={t('answer')} headers={shown.answerHeaders} body={shown.answer} noBody={t('noBody')} locale={locale} />
      </div>
      <p className="text-sm text-muted">{t('masked')}</p>
    </Shell>
  );
}
