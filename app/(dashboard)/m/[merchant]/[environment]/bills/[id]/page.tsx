import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { BillBadge } from '@/components/dashboard/badges';
import { ReleaseCard } from '@/components/dashboard/release-card';
import { Shell } from '@/components/dashboard/shell';
import { Timeline } from '@/components/dashboard/timeline';
import { Card } from '@/components/ui/card';
import { Fact, Facts } from '@/components/ui/facts';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { dashboardPath, may } from '@/lib/accounts/grant-access';
import { showBill } from '@/lib/bills/show-bill';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { isReleaseProblem, REASON_MAX } from '@/lib/payments/release-own-attempt';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import { releaseAction } from './actions';

interface BillPageProps {
  readonly params: Promise<{ merchant: string; environment: string; id: string }>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Webhooks')('bill') };
}

export default async function BillPage({ params, searchParams }: BillPageProps) {
  const { id, ...place } = await params;
  const { released, problem } = await searchParams;
  const { runtime, access, locale } = await openVisit(place, `bills/${encodeURIComponent(id)}`);
  const view = await showBill(runtime, access, id);
  if (!view) notFound();
  const { bill, remaining, webPayUrl, timeline, waiting } = view;
  const t = translator(locale, 'Bill');
  const release = translator(locale, 'Release');
  const { slug } = access.merchant;
  const { environment } = access.scope;
  return (
    <Shell access={access} locale={locale} section="bills" csrf={await csrfToken(runtime)}>
      <Link
        href={dashboardPath({ slug, environment, page: 'bills' })}
        prefetch={false}
        className="justify-self-start font-semibold text-brand underline underline-offset-2"
      >
        {t('back')}
      </Link>
      <PageHeader title={t('title', { reference: bill.reference })}>
        <BillBadge status={bill.status} locale={locale} />
      </PageHeader>
      {released !== undefined && (
        <Focused label={release('released')}>
          <Notice tone="good" title={release('released')} />
        </Focused>
      )}
      {isReleaseProblem(problem) && (
        <Focused label={release(problem)}>
          <Notice tone="bad" title={release(problem)} />
        </Focused>
      )}
      <Card id="facts" title={t('facts')}>
        <Facts>
          <Fact term={t('amount')}>{formatMoney(bill.amount)}</Fact>
          <Fact term={t('paid')}>{formatMoney(bill.paidAmount)}</Fact>
          {bill.paidAmount > bill.amount ? (
            <Fact term={t('overpaid')}>{formatMoney(bill.paidAmount - bill.amount)}</Fact>
          ) : (
            <Fact term={t('remaining')}>{formatMoney(remaining)}</Fact>
          )}
          <Fact term={t('mobile')}>{bill.mobile ?? t('noMobile')}</Fact>
          <Fact term={t('created')}>{formatInstant(bill.createdAt, locale)}</Fact>
          {bill.paidAt && <Fact term={t('paidAt')}>{formatInstant(bill.paidAt, locale)}</Fact>}
          <Fact term={t('id')}>{bill.id}</Fact>
          <Fact term={t('payPage')}>
            <a href={webPayUrl} className="text-brand underline underline-offset-2">
              {t('openPayPage')}
            </a>
          </Fact>
        </Facts>
      </Card>
      {waiting.length > 0 && (
        <ReleaseCard
          attempts={waiting}
          locale={locale}
          reasonMax={REASON_MAX}
          {...(may(access, 'bills.change') && { release: { action: releaseAction, merchant: slug, environment, bill: bill.id } })}
        />
      )}
      <Card id="timeline" title={t('timeline')}>
        <Timeline entries={timeline} locale={locale} />
      </Card>
    </Shell>
  );
}
