import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { BillBadge } from '@/components/dashboard/badges';
import { Shell } from '@/components/dashboard/shell';
import { Timeline } from '@/components/dashboard/timeline';
import { Card } from '@/components/ui/card';
import { Fact, Facts } from '@/components/ui/facts';
import { PageHeader } from '@/components/ui/page-header';
import { dashboardPath } from '@/lib/accounts/grant-access';
import { showBill } from '@/lib/bills/show-bill';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { csrfToken, openVisit, pageLocale } from '@/lib/server/visit';

interface BillPageProps {
  readonly params: Promise<{ merchant: string; environment: string; id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Webhooks')('bill') };
}

export default async function BillPage({ params }: BillPageProps) {
  const { id, ...place } = await params;
  const { runtime, access, locale } = await openVisit(place, `bills/${encodeURIComponent(id)}`);
  const view = await showBill(runtime, access, id);
  if (!view) notFound();
  const { bill, remaining, webPayUrl, timeline } = view;
  const t = translator(locale, 'Bill');
  return (
    <Shell access={access} locale={locale} section="bills" csrf={await csrfToken(runtime)}>
      <Link
        href={dashboardPath({ slug: access.merchant.slug, environment: access.scope.environment, page: 'bills' })}
        prefetch={false}
        className="justify-self-start font-semibold text-brand underline underline-offset-2"
      >
        {t('back')}
      </Link>
      <PageHeader title={t('title', { reference: bill.reference })}>
        <BillBadge status={bill.status} locale={locale} />
      </PageHeader>
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
      <Card id="timeline" title={t('timeline')}>
        <Timeline entries={timeline} locale={locale} />
      </Card>
    </Shell>
  );
}
