import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { mobileText } from '@/components/dashboard/mobile-text';
import { Pager } from '@/components/dashboard/pager';
import { RefundForm } from '@/components/dashboard/refunds/refund-forms';
import { RefundList, RefundResult, refundableOptions } from '@/components/dashboard/refunds/refund-list';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import { type Refundable, showRefunds } from '@/lib/backoffice/refunds/show-refunds';
import { openVisit } from '@/lib/entry/server/visit';
import { isProven, may } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { approveRefundAction, askRefundAction, returnRefundAction, stopRefundAction } from './actions';

export const generateMetadata = titled('Refunds', 'title');

const TABS = ['todo', 'all'] as const;

export default async function RefundsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'refunds');
  const query = await searchParams;
  const tab = single(query.tab) === 'all' ? 'all' : 'todo';
  const before = single(query.before);
  const found = await showRefunds(runtime, access, { tab, before });
  if (!found) return <NotAllowed access={access} permission="refunds.view" locale={locale} />;
  const t = translator(locale, 'Refunds');
  const { refunds, older, unmatched, formId } = found;
  const now = runtime.clock();
  const mayRefund = may(access, 'refunds.change');
  const chosen = unmatched.find(({ payment }) => payment === single(query.payment));
  const asks = chosen !== undefined || single(query.refund) !== null;
  const page = path('refunds');
  const decisions = { approve: approveRefundAction, stop: stopRefundAction, returned: returnRefundAction };
  const list = { decisions, access, bill: null, path, now, locale } as const;
  const waiting = (['ASKED', 'APPROVED'] as const).map((state) => ({ state, found: refunds.filter((refund) => refund.state === state) }));
  return (
    <Shell access={access} locale={locale} section="refunds" texts={['RefundForm']}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#refunds" locale={locale} />} title={t('title')} intro={t('intro')} />
      <RefundResult result={single(query.refundResult)} locale={locale} />
      {!roleMay(access.role, 'refunds.change') && <Notice tone="wait" text={t('viewer')} />}
      <Nav
        label={t('tabs')}
        look="tabs"
        items={TABS.map((one) => ({ href: one === 'todo' ? page : `${page}?tab=all`, text: t(`tab_${one}`), current: one === tab }))}
      />
      {mayRefund && asks && !isProven(access, now) && (
        <ConfirmCard
          locale={locale}
          back={`${page}?${chosen ? `payment=${chosen.payment}` : 'refund=prove'}`}
          wrong={single(query.wrong) !== null}
        />
      )}
      {mayRefund && chosen && isProven(access, now) && (
        <Card id="refund" title={translator(locale, 'RefundForm')('title')}>
          <RefundForm
            key={chosen.payment}
            action={askRefundAction}
            bill=""
            formId={formId}
            payments={refundableOptions([chosen], null, locale)}
            close={page}
          />
        </Card>
      )}
      {tab === 'all' && (
        <Card id="all" title={t('allTitle')}>
          {refunds.length === 0 ? (
            <EmptyState art="empty" title={t('allEmptyTitle')} text={t('allEmptyText')} />
          ) : (
            <RefundList refunds={refunds} {...list} />
          )}
        </Card>
      )}
      {tab === 'todo' && refunds.length === 0 && unmatched.length === 0 && (
        <Card>
          <EmptyState art="done" title={t('todoEmptyTitle')} text={t('todoEmptyText')} />
        </Card>
      )}
      {tab === 'todo' &&
        waiting.map(
          ({ state, found: refundsOf }) =>
            refundsOf.length > 0 && (
              <Card key={state} id={state} title={t(state === 'ASKED' ? 'toApprove' : 'toReturn')}>
                <RefundList refunds={refundsOf} {...list} />
              </Card>
            ),
        )}
      <Pager path={page} {...(tab === 'all' && { query: { tab } })} older={older} first={before === null} locale={locale} />
      {unmatched.length > 0 && (
        <Card id="unmatched" title={t('unmatched')}>
          <p className="mb-3 max-w-prose text-muted">{t('unmatchedText')}</p>
          <UnmatchedList payments={unmatched} returns={mayRefund ? page : null} locale={locale} />
        </Card>
      )}
    </Shell>
  );
}

interface UnmatchedListProps {
  readonly payments: readonly Refundable[];
  /** The address of the page with the form; null if the viewer may not refund. */
  readonly returns: string | null;
  readonly locale: Locale;
}

function UnmatchedList({ payments, returns, locale }: UnmatchedListProps) {
  const t = translator(locale, 'Refunds');
  return (
    <ul className="divide-y divide-line">
      {payments.map(({ payment, receipt, mobile, left, recordedAt }) => {
        const time = formatInstant(recordedAt, locale);
        return (
          <li key={payment} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 wrap-anywhere">
              <p>
                <strong className="tabular-nums">{formatMoney(left)}</strong>
              </p>
              <p className="text-sm">
                {mobile === null ? t('unmatchedAt', { time }) : t('unmatchedFrom', { mobile: mobileText(mobile, locale), time })}
              </p>
              <p className="text-sm text-muted">{translator(locale, 'RefundList')('ofPayment', { receipt })}</p>
            </div>
            {returns !== null && (
              <ButtonLink href={`${returns}?payment=${payment}#refund`}>
                {t('return')} <span className="sr-only">{formatMoney(left)}</span>
              </ButtonLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
