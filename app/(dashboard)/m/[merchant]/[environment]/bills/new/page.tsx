import { type PageProps, titled } from '@/app/page-props';
import type { PreviewFrame } from '@/components/dashboard/bill-new/bill-preview';
import { BillCreateForm } from '@/components/dashboard/bill-new/create-form';
import { NewBillNav } from '@/components/dashboard/bill-new/import-list';
import { Help } from '@/components/dashboard/help/help';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { pictureOf } from '@/components/dashboard/shop-picture';
import { billText } from '@/components/pay/way-steps';
import { Card, PageHeader } from '@/components/ui/layout';
import { openVisit } from '@/lib/entry/server/visit';
import { INFO_FORM } from '@/lib/gateway/bills/bill-info';
import { showNewBill } from '@/lib/gateway/bills/create/show-new-bill';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { type Brand, paletteOf } from '@/lib/identity/merchants/brand-rules';
import { baseUrl } from '@/lib/platform/config/settings';
import { formatColour, parseColour } from '@/lib/platform/core/colour';
import { newId } from '@/lib/platform/core/ids';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { createBillAction } from './actions';

export const generateMetadata = titled('NewBill', 'title');

export default async function NewBillPage({ params }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'bills/new');
  const shown = await showNewBill(runtime, access);
  if (shown === null) return <NotAllowed access={access} permission="bills.create" locale={locale} />;
  const t = translator(locale, 'NewBill');
  const active = access.status === 'active';
  const base = baseUrl(runtime.settings, access.scope.environment);
  return (
    <Shell access={access} locale={locale} section="bills" texts={['BillInfo', 'NewBill']}>
      <PageHeader
        help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />}
        title={t('title')}
        intro={t(active ? 'intro' : 'inactive')}
      />
      {active && (
        <>
          <NewBillNav access={access} current="new" locale={locale} />
          <Card>
            <BillCreateForm
              action={createBillAction}
              formId={newId(runtime)}
              infoForm={INFO_FORM}
              customers={shown.customers}
              preview={previewFrame(access, shown.brand, base, locale)}
            />
          </Card>
        </>
      )}
    </Shell>
  );
}

/** Returns the parts of the preview that do not change while somebody types. The message is in Swahili, as on the page of a bill. */
function previewFrame({ merchant, scope }: MerchantAccess, brand: Brand | undefined, base: URL, locale: Locale): PreviewFrame {
  const pay = translator(locale, 'Pay');
  const t = translator(locale, 'NewBill');
  const chosen = parseColour(brand?.brandColour ?? '');
  const palette = chosen && paletteOf(chosen);
  const picture = pictureOf(scope.merchantId, merchant.name, brand);
  const amount = '{amount}';
  const reference = '{reference}';
  return {
    merchant: merchant.name,
    ...picture,
    header: palette && { fill: formatColour(palette.fill), onFill: formatColour(palette.onFill) },
    button: palette ? formatColour(palette.ink) : picture.mark.fill,
    message: billText(
      { merchant: merchant.name, amount, reference, url: `${base.origin}/p/…`, ways: { numbers: [] }, network: null },
      'sw',
    ),
    linkTitle: translator('sw', 'Pay')('previewPay', { merchant: merchant.name, amount }),
    host: base.host,
    texts: {
      page: t('previewPage'),
      chat: t('previewChat'),
      through: pay('paidThrough'),
      pay: pay('payButton', { amount }),
      reference: pay('reference'),
      referenceNone: t('previewReference'),
      description: pay('description'),
      customer: pay('customer'),
      dueDate: pay('dueAt'),
      mobile: pay('mobileLabel'),
      mobileHint: '07…',
    },
  };
}
