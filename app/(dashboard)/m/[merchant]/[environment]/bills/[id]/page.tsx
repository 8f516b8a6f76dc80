import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import {
  approveRefundAction,
  askRefundAction,
  returnRefundAction,
  stopRefundAction,
} from '@/app/(dashboard)/m/[merchant]/[environment]/refunds/actions';
import { type PageProps, single } from '@/app/page-props';
import type { BillActions } from '@/components/dashboard/bill-page/actions';
import { BillHero } from '@/components/dashboard/bill-page/hero';
import { FactsCard, HistoryCard } from '@/components/dashboard/bill-page/history';
import { BillResult, ReleaseCard, resultProgress } from '@/components/dashboard/bill-page/notices';
import { LiveRefresh } from '@/components/dashboard/live-refresh';
import { RefundForm } from '@/components/dashboard/refunds/refund-forms';
import { RefundList, RefundResult, refundableOptions } from '@/components/dashboard/refunds/refund-list';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card } from '@/components/ui/layout';
import { BackLink } from '@/components/ui/links';
import { Sheets } from '@/components/ui/sheet';
import { NOTE_MAX } from '@/lib/backoffice/bill-page/note-bill';
import { type BillView, showBill } from '@/lib/backoffice/bill-page/show-bill';
import { pageLocale } from '@/lib/entry/server/preferences';
import { answersPlainForm, findVisit, openVisit } from '@/lib/entry/server/visit';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { overpaidAmount } from '@/lib/gateway/bills/rules';
import { networkOf, usableWays } from '@/lib/gateway/payment-page/pay-ways';
import { authorize, isProven, type MerchantAccess, may, requestPermission } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import {
  askWaysAction,
  changeInfoAction,
  closeAction,
  correctAction,
  noteAction,
  recordAction,
  releaseAction,
  reopenAction,
  requestPaymentAction,
} from './actions';

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
  return { title: view ? titleOf(view.bill) : translator(locale, 'Webhooks')('bill') };
}

/** Returns the title of the browser's tab: the customer and the reference. */
function titleOf({ customerName, reference }: BillView['bill']): string {
  return customerName === null ? reference : `${customerName} · ${reference}`;
}

const TEXTS = ['BillInfo', 'BillForms', 'CloseReason'] as const;

export default async function BillPage({ params, searchParams }: PageProps<'id'>) {
  const { id, ...named } = await params;
  const query = await searchParams;
  const { runtime, access, locale, path } = await openVisit(named, `bills/${encodeURIComponent(id)}`);
  const messages = query.messages === 'show';
  const view = await readBill(access, id, messages);
  if (!view) notFound();
  const { bill, waiting, formId } = view;
  const [network, ways] = await Promise.all([networkOf(runtime, bill.mobile), usableWays(runtime, bill.id)]);
  const own = path(`bills/${bill.id}`);
  const now = runtime.clock();
  const mayChange = may(access, 'bills.change');
  const mayRecord = may(access, 'payments.record');
  const mayRefund = may(access, 'refunds.change');
  // A link may ask for a form although nothing is left to refund.
  const refund = view.refundable.length > 0 || single(query.refund) === 'prove' ? single(query.refund) : null;
  const asked = mayRefund && isProven(access, now) ? (ASKED.find((one) => one === refund) ?? null) : null;
  const actions: BillActions = {
    path: own,
    refund: roleMay(access.role, 'refunds.view') ? { refusal: authorize(access, 'refunds.change') } : null,
    record: mayRecord ? recordAction : null,
    changeInfo: mayChange ? changeInfoAction : null,
    askWays: may(access, 'bills.create') ? askWaysAction : null,
    close: mayChange ? closeAction : null,
    reopen: mayChange ? reopenAction : null,
  };
  return (
    <Shell
      access={access}
      locale={locale}
      section="bills"
      texts={asked === null && view.refunds.length === 0 ? TEXTS : [...TEXTS, 'RefundForm']}
    >
      <LiveRefresh address={`${own}/version`} watched={view.watched} />
      <BackLink href={path('bills')}>{translator(locale, 'Bill')('back')}</BackLink>
      <BillResult
        result={single(query.result)}
        progress={resultProgress(view)}
        released={query.released !== undefined}
        problem={single(query.problem)}
        locale={locale}
      />
      <RefundResult result={single(query.refundResult)} locale={locale} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Sheets unfolded={await answersPlainForm()}>
            <BillHero
              view={view}
              merchant={access.merchant.name}
              network={network}
              ways={ways}
              request={may(access, requestPermission(access)) ? requestPaymentAction : null}
              actions={actions}
              sharing={query.share !== undefined}
              now={now}
              locale={locale}
            />
          </Sheets>
          {mayRefund && refund !== null && !isProven(access, now) && (
            <ConfirmCard locale={locale} back={`${own}?refund=${encodeURIComponent(refund)}`} wrong={single(query.wrong) !== null} />
          )}
          <RefundCard view={view} access={access} asked={asked} path={path} now={now} locale={locale} />
          {waiting.length > 0 && (
            <ReleaseCard attempts={waiting} locale={locale} {...(mayChange && { release: { action: releaseAction, bill: bill.id } })} />
          )}
          <HistoryCard
            view={view}
            path={own}
            newestFirst={query.order !== 'oldest'}
            messages={messages}
            note={may(access, 'bills.note') ? { action: noteAction, bill: bill.id, formId, noteMax: NOTE_MAX } : null}
            correct={mayRecord ? { action: correctAction, bill: bill.id } : null}
            now={now}
            locale={locale}
          />
        </div>
        <FactsCard view={view} locale={locale} />
      </div>
    </Shell>
  );
}

/** What the query asks for: the form for a refund, or this form with the excess of an overpaid bill. */
const ASKED = ['ask', 'excess'] as const;

interface RefundCardProps {
  readonly view: BillView;
  readonly access: MerchantAccess;
  /** Null if the page does not show the form. */
  readonly asked: (typeof ASKED)[number] | null;
  readonly path: (page: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

/** The refunds of the bill, and the form for another one. */
function RefundCard({ view, access, asked, path, now, locale }: RefundCardProps) {
  const { bill, refunds, refundable, formId } = view;
  const open = asked !== null && refundable.length > 0;
  return (
    <>
      {open && (
        <Card id="refund" title={translator(locale, 'RefundForm')('title')}>
          <RefundForm
            key={asked}
            action={askRefundAction}
            bill={bill.id}
            formId={formId}
            payments={refundableOptions(refundable, asked === 'excess' ? overpaidAmount(bill) : null, locale)}
            close={path(`bills/${bill.id}`)}
          />
        </Card>
      )}
      {refunds.length > 0 && (
        <Card id="refunds" title={translator(locale, 'RefundList')('card')}>
          <RefundList
            refunds={refunds}
            decisions={{ approve: approveRefundAction, stop: stopRefundAction, returned: returnRefundAction }}
            access={access}
            bill={bill.id}
            path={path}
            now={now}
            locale={locale}
          />
        </Card>
      )}
    </>
  );
}
