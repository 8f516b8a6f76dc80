import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { single } from '@/app/(dashboard)/m/[merchant]/[environment]/params';
import { BillBadge } from '@/components/dashboard/badges';
import { AskCard } from '@/components/dashboard/bill-page/ask-card';
import { CloseCard } from '@/components/dashboard/bill-page/close-card';
import { FactsCard } from '@/components/dashboard/bill-page/facts-card';
import { HistoryCard } from '@/components/dashboard/bill-page/history-card';
import { LiveBill } from '@/components/dashboard/bill-page/live-bill';
import { ShareCard } from '@/components/dashboard/bill-page/share-card';
import { SummaryCard } from '@/components/dashboard/bill-page/summary-card';
import { ToldNotice } from '@/components/dashboard/bill-page/told-notice';
import { ReleaseCard } from '@/components/dashboard/release-card';
import { Shell } from '@/components/dashboard/shell';
import { Badge } from '@/components/ui/badge';
import { PageHeader } from '@/components/ui/page-header';
import { dashboardPath, type MerchantAccess, may } from '@/lib/accounts/grant-access';
import { NOTE_MAX } from '@/lib/bills/note-bill';
import { showBill } from '@/lib/bills/show-bill';
import { REASON_MAX } from '@/lib/core/text';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit, peekVisit } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { closeAction, noteAction, pushAction, releaseAction, reopenAction } from './actions';

interface BillPageProps {
  readonly params: Promise<{ merchant: string; environment: string; id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

const COLUMN = 'grid grid-cols-[minmax(0,1fr)] gap-4';

/** Read once for the title and the page. */
const readBill = cache((access: MerchantAccess, id: string, messages: boolean) => showBill(webRuntime(), access, id, { messages }));

export async function generateMetadata({ params, searchParams }: BillPageProps): Promise<Metadata> {
  const { id, ...address } = await params;
  const visit = await peekVisit(address);
  const view = visit && (await readBill(visit.access, id, (await searchParams).messages === 'show'));
  const locale = await pageLocale();
  return { title: view ? translator(locale, 'Bill')('title', { reference: view.bill.reference }) : translator(locale, 'Webhooks')('bill') };
}

export default async function BillPage({ params, searchParams }: BillPageProps) {
  const { id, ...address } = await params;
  const query = await searchParams;
  const { runtime, access, locale } = await openVisit(address, `bills/${encodeURIComponent(id)}`);
  const messages = query.messages === 'show';
  const view = await readBill(access, id, messages);
  if (!view) notFound();
  const { bill, waiting, formId, push } = view;
  const { slug, name } = access.merchant;
  const { environment } = access.scope;
  const path = dashboardPath({ slug, environment, page: `bills/${bill.id}` });
  const place = { merchant: slug, environment, bill: bill.id };
  const mayChange = may(access, 'bills.change');
  const unpaid = bill.status !== 'FULLY_PAID';
  const closed = bill.closedAt !== null;
  return (
    <Shell access={access} locale={locale} section="bills" csrf={await csrfToken(runtime)} texts={['BillPage', 'AskPhone', 'CloseBill']}>
      <LiveBill url={`${path}/version`} watched={view.watched} />
      <Link
        href={dashboardPath({ slug, environment, page: 'bills' })}
        prefetch={false}
        className="justify-self-start font-semibold text-brand underline underline-offset-2"
      >
        {translator(locale, 'Bill')('back')}
      </Link>
      <PageHeader title={translator(locale, 'Bill')('title', { reference: bill.reference })}>
        <span className="flex flex-wrap gap-2">
          <BillBadge status={bill.status} locale={locale} />
          {closed && (
            <Badge tone="quiet" icon="lock">
              {translator(locale, 'BillPage')('closed')}
            </Badge>
          )}
        </span>
      </PageHeader>
      <ToldNotice told={single(query.told)} released={query.released !== undefined} problem={single(query.problem)} locale={locale} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:grid-rows-[auto_1fr]">
        <div className={COLUMN}>
          <SummaryCard view={view} mayAsk={mayChange && push.kind === 'offered'} locale={locale} />
          {waiting.length > 0 && (
            <ReleaseCard
              attempts={waiting}
              locale={locale}
              reasonMax={REASON_MAX}
              {...(mayChange && { release: { action: releaseAction, ...place } })}
            />
          )}
          {mayChange && <AskCard offer={push} place={place} formId={formId} action={pushAction} locale={locale} />}
        </div>
        <div className={`${COLUMN} xl:row-span-2`}>
          {unpaid && !closed && <ShareCard merchant={name} remaining={view.remaining} webPayUrl={view.webPayUrl} locale={locale} />}
          <FactsCard view={view} locale={locale} />
          {mayChange && (unpaid || closed) && (
            <CloseCard
              closed={closed}
              asked={view.open.length > 0}
              place={place}
              reasonMax={REASON_MAX}
              close={closeAction}
              reopen={reopenAction}
              locale={locale}
            />
          )}
        </div>
        <HistoryCard
          view={view}
          path={path}
          newestFirst={query.order !== 'oldest'}
          messages={messages}
          note={may(access, 'bills.note') ? { action: noteAction, place, formId, noteMax: NOTE_MAX } : null}
          locale={locale}
        />
      </div>
    </Shell>
  );
}
