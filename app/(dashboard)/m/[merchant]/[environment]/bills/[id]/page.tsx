import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { type PageProps, single } from '@/app/page-props';
import { BillBadge, OverpaidBadge } from '@/components/dashboard/badges';
import { BillResult, resultProgress } from '@/components/dashboard/bill-page/bill-result';
import { HistoryCard } from '@/components/dashboard/bill-page/history-card';
import { PaymentRequestCard } from '@/components/dashboard/bill-page/payment-request-card';
import { ReasonForm } from '@/components/dashboard/bill-page/reason-form';
import { ReleaseCard } from '@/components/dashboard/bill-page/release-card';
import { ShareCard } from '@/components/dashboard/bill-page/share-card';
import { FactsCard, SummaryCard } from '@/components/dashboard/bill-page/summary-card';
import { Help } from '@/components/dashboard/help/help';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import type { BillPlace } from '@/components/dashboard/place';
import { Shell } from '@/components/dashboard/shell/shell';
import { Badge } from '@/components/ui/badge';
import { Fold } from '@/components/ui/fold';
import { Card, PageHeader } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { type MerchantAccess, may, requestPermission } from '@/lib/accounts/access/grant-access';
import { describeDue } from '@/lib/bills/due-state';
import { NOTE_MAX } from '@/lib/bills/page/note-bill';
import { showBill } from '@/lib/bills/page/show-bill';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { findVisit, openVisit } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';
import { changeInfoAction, closeAction, noteAction, releaseAction, reopenAction, requestPaymentAction } from './actions';

const COLUMN = 'grid grid-cols-[minmax(0,1fr)] gap-4 empty:hidden';

/**
 * Where the parts of the page are on wide screens. While a bill can be paid, the forms for its payment fill the right column and the
 * details are on the left. The order of the parts stays the same, so that a form keeps its values when the bill is paid.
 */
const PLACES = {
  payable: { main: '', facts: 'xl:col-start-1', side: 'xl:col-start-2 xl:row-start-1 xl:row-span-2' },
  ended: { main: 'xl:row-span-2', facts: 'xl:col-start-2', side: 'xl:col-start-2' },
} as const;

/** Cached, so that the title and the page share one query. */
const readBill = cache(async (access: MerchantAccess, id: string, messages: boolean) => {
  const runtime = webRuntime();
  return showBill(runtime, access, id, { messages });
});

export async function generateMetadata({ params, searchParams }: PageProps<'id'>): Promise<Metadata> {
  const { id, ...named } = await params;
  const visit = await findVisit(named);
  const view = visit && (await readBill(visit.access, id, (await searchParams).messages === 'show'));
  const locale = await pageLocale();
  return { title: view ? translator(locale, 'Bill')('title', { reference: view.bill.reference }) : translator(locale, 'Webhooks')('bill') };
}

export default async function BillPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const query = await searchParams;
  const { runtime, access, locale, place: around, path } = await openVisit(named, `bills/${encodeURIComponent(id)}`);
  const messages = query.messages === 'show';
  const view = await readBill(access, id, messages);
  if (!view) notFound();
  const { bill, waiting, formId, push } = view;
  const own = path(`bills/${bill.id}`);
  const place = { ...around, bill: bill.id };
  const mayChange = may(access, 'bills.change');
  const mayRequest = may(access, requestPermission(access));
  const unpaid = bill.status !== 'FULLY_PAID';
  const closed = bill.closedAt !== null;
  const places = PLACES[unpaid && !closed ? 'payable' : 'ended'];
  const due = describeDue(bill, runtime.clock(), locale);
  return (
    <Shell access={access} locale={locale} section="bills" texts={['BillInfo', 'BillPage', 'AskPhone', 'CloseBill']}>
      <LiveRefresh address={`${own}/version`} watched={view.watched} />
      <BackLink href={path('bills')}>{translator(locale, 'Bill')('back')}</BackLink>
      <PageHeader help={<Help page="bill" locale={locale} />} title={translator(locale, 'Bill')('title', { reference: bill.reference })}>
        <span className="flex flex-wrap gap-2 self-center">
          <BillBadge status={bill.status} locale={locale} />
          <OverpaidBadge bill={bill} locale={locale} />
          {due && <Badge tone={due.overdue ? 'wait' : 'quiet'} icon="calendar" text={due.text} />}
          {closed && <Badge tone="quiet" icon="lock" text={translator(locale, 'BillPage')('closed')} />}
        </span>
      </PageHeader>
      <BillResult
        result={single(query.result)}
        progress={resultProgress(view)}
        released={query.released !== undefined}
        problem={single(query.problem)}
        locale={locale}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:grid-rows-[auto_1fr]">
        <div className={`${COLUMN} ${places.main}`}>
          <SummaryCard view={view} mayAsk={mayRequest && push.kind === 'offered'} locale={locale} />
          {waiting.length > 0 && (
            <ReleaseCard attempts={waiting} locale={locale} {...(mayChange && { release: { action: releaseAction, place } })} />
          )}
          <HistoryCard
            view={view}
            path={own}
            newestFirst={query.order !== 'oldest'}
            messages={messages}
            note={may(access, 'bills.note') ? { action: noteAction, place, formId, noteMax: NOTE_MAX } : null}
            locale={locale}
          />
        </div>
        <div className={places.facts}>
          <FactsCard view={view} change={mayChange ? { action: changeInfoAction, place } : null} locale={locale} />
        </div>
        <div className={`${COLUMN} ${places.side}`}>
          {mayRequest && <PaymentRequestCard offer={push} place={place} formId={formId} action={requestPaymentAction} locale={locale} />}
          {view.shortLink !== null && (
            <ShareCard merchant={access.merchant.name} bill={bill} remaining={view.remaining} link={view.shortLink} locale={locale} />
          )}
          {mayChange && (unpaid || closed) && <CloseCard closed={closed} asked={view.open.length > 0} place={place} locale={locale} />}
        </div>
      </div>
    </Shell>
  );
}

interface CloseCardProps {
  readonly closed: boolean;
  /** True while an attempt is open. During this time the bill cannot be closed. */
  readonly asked: boolean;
  readonly place: BillPlace;
  readonly locale: Locale;
}

function CloseCard({ closed, asked, place, locale }: CloseCardProps) {
  const t = translator(locale, 'CloseBill');
  return (
    <Card id="close" title={t(closed ? 'reopen' : 'close')}>
      <p className="text-muted">{t(closed ? 'reopenText' : asked ? 'waitsForPrompt' : 'closeText')}</p>
      {closed ? (
        <ReasonForm key="reopen" action={reopenAction} place={place} button={t('reopenNow')} look="plain" />
      ) : (
        !asked && (
          <Fold title={t('closeNow')} look="danger" className="mt-2">
            <ReasonForm key="close" action={closeAction} place={place} button={t('close')} look="danger" />
          </Fold>
        )
      )}
    </Card>
  );
}
