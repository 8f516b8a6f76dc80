import { type PageProps, titled } from '@/app/page-props';
import { BillCreateForm } from '@/components/dashboard/bill-new/create-form';
import { NewBillNav } from '@/components/dashboard/bill-new/new-bill-nav';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, PageHeader } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { newId } from '@/lib/core/ids';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { createBillAction } from './actions';

export const generateMetadata = titled('NewBill', 'title');

export default async function NewBillPage({ params }: PageProps) {
  const { runtime, access, locale, place } = await openVisit(await params, 'bills/new');
  if (!may(access, 'bills.create')) return <NotAllowed access={access} permission="bills.create" locale={locale} />;
  const t = translator(locale, 'NewBill');
  return (
    <Shell access={access} locale={locale} section="bills" texts={['BillInfo', 'NewBill']}>
      {access.status === 'active' ? (
        <>
          <PageHeader help={<Help page="newBill" locale={locale} />} title={t('title')} intro={t('intro')} />
          <NewBillNav access={access} current="new" locale={locale} />
          <Card>
            <BillCreateForm action={createBillAction} place={place} formId={newId(runtime)} />
          </Card>
        </>
      ) : (
        <PageHeader help={<Help page="newBill" locale={locale} />} title={t('title')} intro={t('inactive')} />
      )}
    </Shell>
  );
}
