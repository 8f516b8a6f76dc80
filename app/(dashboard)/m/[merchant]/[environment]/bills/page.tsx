import type { Metadata } from 'next';
import Link from 'next/link';
import { BillBadge } from '@/components/dashboard/badges';
import { Pager } from '@/components/dashboard/pager';
import { Shell } from '@/components/dashboard/shell';
import { buttonClass } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Nav } from '@/components/ui/nav';
import { PageHeader } from '@/components/ui/page-header';
import { Cell, Row, Table } from '@/components/ui/table';
import { dashboardPath } from '@/lib/accounts/grant-access';
import { BILL_STATUSES, isBillStatus, listBills } from '@/lib/bills/list-bills';
import { formatInstant, formatMoney } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import { type PageProps, single } from '../params';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Bills')('title') };
}

export default async function BillsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'bills');
  const query = await searchParams;
  const before = single(query.before);
  const asked = single(query.status);
  const status = isBillStatus(asked) ? asked : null;
  const { bills, older } = await listBills(runtime, access, { before, status });
  const t = translator(locale, 'Bills');
  const place = { slug: access.merchant.slug, environment: access.scope.environment };
  const path = dashboardPath({ ...place, page: 'bills' });
  const blank = bills.length === 0 && before === null;
  return (
    <Shell access={access} locale={locale} section="bills" csrf={await csrfToken(runtime)}>
      <PageHeader title={t('title')} intro={t('intro')} />
      {(!blank || status !== null) && (
        <Nav
          look="chips"
          label={t('filter')}
          items={[
            { href: path, text: t('all'), current: status === null },
            ...BILL_STATUSES.map((one) => ({
              href: `${path}?status=${one}`,
              text: translator(locale, 'Status')(one),
              current: status === one,
            })),
          ]}
        />
      )}
      <Card>
        {bills.length === 0 ? (
          <EmptyState
            title={t(blank && status === null ? 'emptyTitle' : 'noneTitle')}
            text={t(blank && status === null ? 'emptyText' : 'noneText')}
          >
            {blank && status === null && (
              <Link href={dashboardPath({ ...place, page: 'keys' })} prefetch={false} className={buttonClass('primary')}>
                {t('emptyAction')}
              </Link>
            )}
          </EmptyState>
        ) : (
          <Table caption={t('title')} columns={[t('reference'), t('amount'), t('status'), t('mobile'), t('created')]}>
            {bills.map((bill) => (
              <Row key={bill.id}>
                <Cell>
                  <Link href={`${path}/${bill.id}`} prefetch={false} className="font-semibold text-brand underline underline-offset-2">
                    {bill.reference}
                  </Link>
                </Cell>
                <Cell label={t('amount')} whole>
                  {formatMoney(bill.amount)}
                  {bill.status === 'PARTIALLY_PAID' && (
                    <span className="block text-sm text-muted">{t('paidOf', { paid: formatMoney(bill.paidAmount) })}</span>
                  )}
                </Cell>
                <Cell label={t('status')}>
                  <BillBadge status={bill.status} locale={locale} />
                </Cell>
                <Cell label={t('mobile')} whole>
                  {bill.mobile ?? '–'}
                </Cell>
                <Cell label={t('created')} whole>
                  {formatInstant(bill.createdAt, locale)}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Card>
      <Pager path={path} {...(status !== null && { query: { status } })} older={older} first={before === null} locale={locale} />
    </Shell>
  );
}
