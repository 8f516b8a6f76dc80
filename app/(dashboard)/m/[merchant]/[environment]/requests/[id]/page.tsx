import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { replayAction } from '@/app/(dashboard)/m/[merchant]/[environment]/requests/actions';
import { type PageProps, single } from '@/app/page-props';
import { formatMs, StatusBadge } from '@/components/dashboard/requests/request-list';
import { ResultNotice } from '@/components/dashboard/result-notice';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { CopiedText, CopyButton } from '@/components/ui/copied-value';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Card, Fact, Facts, PageHeader } from '@/components/ui/layout';
import { BackLink, TextLink } from '@/components/ui/links';
import { type ShownRequest, showRequest } from '@/lib/backoffice/requests/show-request';
import { pageLocale } from '@/lib/entry/server/preferences';
import { findVisit, openVisit } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { actorName } from '@/lib/identity/audit/actor-name';
import { KEY_REFUSALS } from '@/lib/identity/keys/authenticate-key';
import { formatExactInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

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
  const { access, locale, path } = await openVisit(named, `requests/${encodeURIComponent(id)}`);
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
        <ActionForm action={replayAction} hidden={{ request: shown.id }} className="flex flex-wrap items-center gap-3">
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

interface RequestFactsProps {
  readonly shown: ShownRequest;
  readonly path: (page: string) => string;
  readonly locale: Locale;
}

/** Who sent a request, when, and why it was refused. */
function RequestFacts({ shown, path, locale }: RequestFactsProps) {
  const t = translator(locale, 'Requests');
  const { keyId, keyLabel, error, code, billId, replayOf, replayedBy } = shown;
  const refusal = KEY_REFUSALS.find((one) => one === shown.refusal);
  const why = refusal ? t(`refusal_${refusal}`) : error;
  return (
    <Card id="facts" title={t('facts')} action={<StatusBadge status={shown.status} />}>
      {why !== null && <p className="mb-3 font-semibold wrap-anywhere">{why}</p>}
      {refusal && refusal !== 'address' && <p className="mb-3 max-w-prose text-sm text-muted">{t('refusedNote')}</p>}
      <Facts>
        <Fact term={t('requestId')} wide>
          <CopiedText label={t('requestId')} text={shown.requestId} />
        </Fact>
        {code !== null && (
          <Fact term={t('code')}>
            <a href={`/docs/${locale === 'sw' ? 'sw/' : ''}errors#${code}`} className="text-brand underline underline-offset-2">
              <code className="text-sm">{code}</code>
            </a>
          </Fact>
        )}
        <Fact term={t('when')}>{formatExactInstant(shown.at, locale)}</Fact>
        <Fact term={t('duration')}>{t('ms', { ms: formatMs(shown.durationUs) })}</Fact>
        <Fact term={t('key')}>
          <TextLink href={path(`keys/${keyId}`)}>{keyLabel ?? keyId}</TextLink>
        </Fact>
        <Fact term={t('address')}>{shown.address ?? t('unknownAddress')}</Fact>
        {billId !== null && (
          <Fact term={t('bill')}>
            <TextLink href={path(`bills/${billId}`)}>{t('showBill')}</TextLink>
          </Fact>
        )}
        {replayedBy !== null && <Fact term={t('replayedBy')}>{actorName(replayedBy, locale)}</Fact>}
        {replayOf !== null && (
          <Fact term={t('first')}>
            <TextLink href={path(`requests/${replayOf}`)}>{t('showFirst')}</TextLink>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

interface MessageProps {
  readonly id: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Shown instead of a missing body. */
  readonly noBody: string;
  readonly locale: Locale;
}

/** A request or an answer: its headers and its body. */
function Message({ id, title, headers, body, noBody, locale }: MessageProps) {
  const t = translator(locale, 'Requests');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Card id={id} title={title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Part label={t('headers')} text={lines.join('\n')} none={t('noHeaders')} />
        <Part label={t('body')} text={body ?? ''} none={noBody} copy={t('copyBody')} />
      </div>
    </Card>
  );
}

function Part({
  label,
  text,
  none,
  copy,
}: {
  readonly label: string;
  readonly text: string;
  readonly none: string;
  readonly copy?: string;
}) {
  return (
    <div>
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h3 className="text-sm text-muted">{label}</h3>
        {copy && text !== '' && <CopyButton value={text} label={copy} />}
      </div>
      {text === '' ? (
        <p className="text-sm">{none}</p>
      ) : (
        <pre className="mt-1 rounded-lg bg-ground p-3 text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
      )}
    </div>
  );
}
